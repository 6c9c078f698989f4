import type { RequestAdjustment } from '../../../shared/model/run/adaptations'
import type { AdjustmentMemory } from '../../settings/stored/request-adjustments'
import type { ProviderError, ProviderRequest } from '../chat/provider'
import { type AdjustedRequest, adjustRequest } from './adjust-request'
import { asksForThoughts, nextStep } from './refusal'

/** Concessions to models so far, by the models' names. */
export type AdjustmentsByModel = Map<string, ModelAdjustments>

interface ModelAdjustments {
  readonly all: readonly RequestAdjustment[]
  /** Those of them that hold for the next run as well. */
  readonly kept: readonly RequestAdjustment[]
}

/** One request to a server, which may have to give way in something before it is answered. */
export interface Negotiation {
  /** The request as it goes out now. */
  sent(): AdjustedRequest
  /**
   * Gives way to a refusal; then `sent` is another one.
   *
   * @throws ProviderError where there is nothing left to give way in: what the server said before anything was guessed
   */
  giveWay(refusal: ProviderError): void
  /** The server takes the request as it is now: what helped is kept. */
  accepted(): Promise<void>
}

/** Begins with what the model had to be conceded before, in this run or in another. */
export async function negotiate(
  request: ProviderRequest,
  baseUrl: string,
  concededTo: AdjustmentsByModel,
  memory: AdjustmentMemory,
): Promise<Negotiation> {
  const { model } = request
  const known = concededTo.get(model) ?? toModelAdjustments(await memory.read(baseUrl, model))
  let { all, kept } = known
  let sent = adjustRequest(request, all)
  /** The first refusal of a request of which nothing was guessed. */
  let plain: ProviderError | undefined
  let isTakenBack = false
  return {
    sent: () => sent,
    giveWay(refusal) {
      // What was left out once by guess, or for another conversation, is what the server misses now.
      if (
        !isTakenBack &&
        asksForThoughts(refusal.fault.response ?? '') &&
        all.some(leavesOutThoughts)
      ) {
        isTakenBack = true
        all = all.filter((one) => !leavesOutThoughts(one))
        kept = kept.filter((one) => !leavesOutThoughts(one))
        sent = adjustRequest(request, all)
        return
      }
      const next = nextStep(refusal, request, all, sent)
      if (next === undefined) throw plain ?? refusal
      if (next.isGuess) plain ??= refusal
      all = [...all, ...next.concessions]
      if (next.isKept) kept = [...kept, ...next.concessions]
      sent = adjustRequest(request, all)
    },
    async accepted() {
      concededTo.set(model, { all, kept })
      if (kept !== known.kept) await memory.write(baseUrl, model, kept)
    },
  }
}

function leavesOutThoughts(one: RequestAdjustment): boolean {
  return one.type === 'without' && one.what === 'thoughts'
}

function toModelAdjustments(concessions: readonly RequestAdjustment[]): ModelAdjustments {
  return { all: concessions, kept: concessions }
}
