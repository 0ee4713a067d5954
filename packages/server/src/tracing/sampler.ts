/** As their caller says; of those that begin here, a part. */
import { SamplingDecision } from '@opentelemetry/api';
import { ParentBasedSampler, type Sampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';

export function buildSampler(ratio: number): Sampler {
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  const root: Sampler = {
    shouldSample: (context, traceId, _name, _kind, _attributes, links) =>
      // Work done for a traced request.
      links.length > 0
        ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
        : byRatio.shouldSample(context, traceId),
    toString: () => `links, or ${byRatio}`,
  };
  return new ParentBasedSampler({ root });
}
