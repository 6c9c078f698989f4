import { z } from 'zod'

/** Why a provider ended an answer before its end: an entry's `metadata.finish`, with its own word in `finish_word`. */
const UnfinishedReason = z.enum(['length', 'filtered', 'broken'])

/** Says in a sentence that an answer is not whole, and why; undefined for one that is, as far as its entry shows. */
export function unfinishedSentence(
  metadata: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const reason = UnfinishedReason.safeParse(metadata?.finish).data
  const told = metadata?.finish_word
  const word =
    typeof told === 'string' && told.trim() !== '' ? told.trim().slice(0, 100) : undefined
  const as = word === undefined ? '' : ` ("${word}")`
  switch (reason) {
    case undefined:
      return undefined
    case 'length':
      return `The answer is not complete: the model reached its limit${as}.`
    case 'filtered':
      return `The answer is not complete: the provider held the rest back${as}.`
    case 'broken':
      return `The answer is not complete: the provider ended it early${as}.`
  }
}
