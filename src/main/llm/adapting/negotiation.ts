import type { RequestAdjustment } from '../../../shared/model/run/adaptations'
import type { AdjustmentMemory } from '../../settings/stored/request-adjustments'
import type { ProviderError, ProviderRequest } from '../chat/provider'
import { type AdjustedRequest, adjustRequest } from './adjust-request'
import { asksForThoughts, nextStep } from './refusal'

/** Adjustments that a server has accepted so far, by the names of the models. */
export type AdjustmentsByModel = Map<string, ModelAdjustments>

interface ModelAdjustments {
  readonly all: readonly RequestAdjustment[]
  /** Those of them that hold for the next run as well. */
  readonly kept: readonly RequestAdjustment[]
}

/** One request to a server, which may have to be adjusted before it is answered. */
export interface Negotiation {
  /** The request as it goes out now. */
  sent(): AdjustedRequest
  /**
   * Adjusts the request to a refusal; then `sent` returns another one.
   *
   * @throws ProviderError where nothing is left to adjust: the refusal from before any guess
   */
  giveWay(refusal: ProviderError): void
  /** Keeps the adjustments once the server has accepted the request. */
  accepted(): Promise<void>
}

/** Begins a negotiation with the adjustments that the model needed before, in this run or in an earlier one. */
export async function negotiate(
  request: ProviderRequest,
  baseUrl: string,
  adjustmentsByModel: AdjustmentsByModel,
  memory: AdjustmentMemory,
): Promise<Negotiation> {
  const { model } = request
  const known =
    adjustmentsByModel.get(model) ?? toModelAdjustments(await memory.read(baseUrl, model))
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
      all = [...all, ...next.adjustments]
      if (next.isKept) kept = [...kept, ...next.adjustments]
      sent = adjustRequest(request, all)
    },
    async accepted() {
      adjustmentsByModel.set(model, { all, kept })
      if (kept !== known.kept) await memory.write(baseUrl, model, kept)
    },
  }
}

function leavesOutThoughts(one: RequestAdjustment): boolean {
  return one.type === 'without' && one.what === 'thoughts'
}

function toModelAdjustments(adjustments: readonly RequestAdjustment[]): ModelAdjustments {
  return { all: adjustments, kept: adjustments }
}
