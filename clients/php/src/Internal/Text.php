<?php

declare(strict_types=1);

namespace Keyport\Internal;

/** @internal */
final class Text
{
    /** Paths that must not be part of the base URL. */
    private const OWN_PATH = '~/+(?:(?:export|admin|sandbox)/+v1|oauth|docs|console|portal|health|(?:admin/+)?openapi\.json|\.well-known)/~';

    /** Leaves out what files and copied texts have at both ends. */
    public static function checked(string $name, string $given): string
    {
        $text = preg_replace('/^[\s\p{C}\p{Z}]+|[\s\p{C}\p{Z}]+$/u', '', $given);
        if ($text === null) {
            throw new \ValueError("$name is not valid UTF-8.");
        }
        if (preg_match('/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u', $text, $hidden, PREG_OFFSET_CAPTURE) !== 1) {
            return $text;
        }
        [$character, $offset] = $hidden[0];
        $code = strtoupper(bin2hex((string) iconv('UTF-8', 'UCS-4BE', $character)));
        $position = (int) iconv_strlen(substr($text, 0, $offset), 'UTF-8') + 1;
        throw new \ValueError(sprintf(
            '%s has U+%s at position %d, which cannot be seen. Remove it.',
            $name,
            str_pad(ltrim($code, '0'), 4, '0', STR_PAD_LEFT),
            $position,
        ));
    }

    public static function checkedBaseUrl(string $given): string
    {
        $text = self::checked('baseUrl', $given);
        $parts = parse_url($text);
        $isUrl = is_array($parts) && isset($parts['scheme'], $parts['host'])
            && in_array(strtolower($parts['scheme']), ['http', 'https'], true)
            && !isset($parts['query']) && !isset($parts['fragment']) && !str_contains($text, '?') && !str_contains($text, '#');
        if (!$isUrl) {
            throw new \ValueError('baseUrl must be a URL such as https://export.example.com, not ' . ($text === '' ? 'empty' : $text) . '.');
        }
        if (isset($parts['user']) || isset($parts['pass'])) {
            throw new \ValueError('baseUrl must not have credentials. Set clientId and clientSecret.');
        }
        if (preg_match(self::OWN_PATH, ($parts['path'] ?? '') . '/', $own, PREG_OFFSET_CAPTURE) === 1) {
            $origin = substr($text, 0, strlen($text) - strlen($parts['path'] ?? ''));
            $base = $origin . substr($parts['path'] ?? '', 0, $own[0][1]);
            throw new \ValueError('baseUrl must end before ' . rtrim($own[0][0], '/') . ", which is a path of Keyport: $base");
        }
        return rtrim($text, '/');
    }

    /** The part of a path for one id. An empty id would name a different operation. */
    public static function segment(string $name, string $id): string
    {
        if ($id === '') {
            throw new \ValueError("$name must not be empty.");
        }
        return rawurlencode($id);
    }

    public static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    /**
     * `['productIds' => ['1', '2']]` is `?productIds[]=1&productIds[]=2`.
     *
     * @param array<string, mixed> $query
     */
    public static function queryString(array $query): string
    {
        $pairs = [];
        foreach ($query as $name => $value) {
            foreach (is_array($value) ? $value : [$value] as $one) {
                if ($one !== null) {
                    $text = is_bool($one) ? ($one ? 'true' : 'false') : (is_scalar($one) ? (string) $one : throw new \ValueError("$name must be a text, a number or a list."));
                    $pairs[] = rawurlencode(is_array($value) ? "{$name}[]" : $name) . '=' . rawurlencode($text);
                }
            }
        }
        return $pairs === [] ? '' : '?' . implode('&', $pairs);
    }

    /**
     * Null if the text is not a JSON object in valid UTF-8.
     *
     * @return array<string, mixed>|null
     */
    public static function parseObject(string $text): ?array
    {
        $value = json_decode($text, true, 512, JSON_BIGINT_AS_STRING);
        if (!is_array($value) || !str_starts_with(ltrim($text), '{')) {
            return null;
        }
        /** @var array<string, mixed> $value */
        return $value;
    }

    public static function toJson(mixed $value): string
    {
        return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION);
    }
}
