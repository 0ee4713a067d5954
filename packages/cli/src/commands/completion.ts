import { formatJson } from '@keyport/sdk-source/commands/output';
import { Argument, type Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

type Node = { readonly path: string; readonly words: readonly string[] };

export function addCompletionCommand(program: Command): void {
  addLeafCommand(program, {
    name: 'completion',
    summary: 'Print a script that completes commands and options in a shell',
    example: 'keyport completion bash > ~/.local/share/bash-completion/completions/keyport',
  })
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell, { json }: { json?: true }) => {
      const script = SCRIPTS[shell](nodesOf(program));
      console.log(json ? formatJson({ shell, script }) : script);
    });
}

function nodesOf(command: Command, path = 'keyport'): Node[] {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const names = command.commands.map((child) => child.name());
  const words = [...names, ...choices, ...options, '--help'];
  return [{ path, words }, ...command.commands.flatMap((child) => nodesOf(child, `${path} ${child.name()}`))];
}

const cases = (nodes: readonly Node[]) =>
  nodes
    .slice(1)
    .map(({ path }) => `'${path}'`)
    .join('|');

const SCRIPTS: Readonly<Record<Shell, (nodes: readonly Node[]) => string>> = {
  bash: (nodes) => `_keyport() {
  local at=keyport word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${cases(nodes)}) at="$at $word" ;;
    esac
  done
  local words=
  case "$at" in
${nodes.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _keyport keyport`,

  zsh: (nodes) => `#compdef keyport
_keyport() {
  local at=keyport word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${cases(nodes)}) at="$at $word" ;;
    esac
  done
  case "$at" in
${nodes.map(({ path, words }) => `    ('${path}') compadd -- ${words.join(' ')} ;;`).join('\n')}
  esac
  [[ $PREFIX == -* ]] || _files
}
compdef _keyport keyport`,

  fish: (nodes) => `function __keyport_at
  set -l at keyport
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${cases(nodes).replaceAll('|', ' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${nodes.map(({ path, words }) => `complete -c keyport -n '__keyport_at "${path}"' -a '${words.join(' ')}'`).join('\n')}`,
};
