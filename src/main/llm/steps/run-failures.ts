import type { AppError } from '../../../shared/model/basics/errors'
import { largestOf } from '../../../shared/model/basics/long-lists'
import { countWithNoun } from '../../../shared/model/basics/plural'
import {
  type EntryDraft,
  type EntryId,
  runErrorType,
} from '../../../shared/model/conversation/entry'
import type { RunFailure } from '../../../shared/model/run/run'
import type { Reply } from './reply'

/** Returns the entry of a failure. chibi skips its type, and no model is sent it. */
export function failureEntry(
  failure: RunFailure,
  id: EntryId,
  context: string,
  timestamp: number,
): EntryDraft {
  return {
    id,
    timestamp,
    from: 'system',
    to: context,
    content: `${failure.message} ${failure.advice}`,
    entry_type: runErrorType,
    metadata: { ...failure },
  }
}

/** Returns the failure of an answer that ended without any text. */
export function emptyAnswerFailure(reply: Reply, attempts: number): RunFailure {
  const { model, finish } = reply
  switch (finish) {
    case 'length':
      return {
        kind: 'too-long',
        message: `"${model}" reached its limit before it wrote an answer.`,
        advice: 'Ask for less, or choose a model with higher limits.',
        attempts,
      }
    case 'filtered':
      return {
        kind: 'forbidden',
        message: `The provider of "${model}" withheld its answer.`,
        advice: 'Rephrase it, or choose another model.',
        attempts,
      }
    case 'tool-calls':
      return {
        kind: 'bad-request',
        message: `"${model}" called a tool instead of answering, but named none, or none was offered to it.`,
        advice: 'Try again, or choose another model.',
        attempts,
      }
    default:
      return {
        kind: 'server',
        message: `"${model}" returned an empty answer.`,
        advice: 'Try again, or choose another model.',
        attempts,
      }
  }
}

/** Returns the failure of a tool that should have ended the turn and failed each time. */
export function repeatedToolFailure(tool: string, attempts: number): RunFailure {
  return {
    kind: 'server',
    message: `"${tool}" should end the turn, but failed each time it was called.`,
    advice: 'Its error is shown above. Fix it, or continue without this tool.',
    attempts,
  }
}

/**
 * Returns the failure of a run whose fuel is used up. `streaks` are those of the calls of its last answer, if it
 * made any.
 */
export function outOfFuelFailure(
  model: string,
  rounds: number,
  streaks: readonly number[],
  attempts: number,
): RunFailure {
  const times = Math.max(0, largestOf(streaks))
  const went = `${countWithNoun(rounds, 'round')} of tools`
  const message =
    times > 1
      ? `"${model}" made the same call ${times} times in a row and was stopped after ${went}.`
      : streaks.length > 0
        ? `"${model}" was stopped after ${went} without an answer: its fuel is used up.`
        : `"${model}" continued by itself until its fuel was used up.`
  return {
    kind: 'out-of-fuel',
    message,
    advice: 'Its results are kept. Send a message to let it continue, or give it more fuel.',
    attempts,
  }
}

/** Returns the failure of a run whose entries cannot be written, by the disk's or the lock's error. */
export function storageFailure(error: AppError, attempts: number): RunFailure {
  return {
    kind: 'storage',
    message: error.message,
    advice: storageAdvice(error),
    attempts,
    ...(error.detail === undefined ? {} : { response: error.detail }),
  }
}

function storageAdvice(error: AppError): string {
  switch (error.code) {
    case 'disk-full':
      return 'Free some space, then try again. The part of the answer that could be written is kept.'
    case 'lock-lost':
    case 'locked':
      return 'Another program is writing to this conversation. The text so far is kept and is added when that program is done.'
    default:
      return 'Check the disk and the permissions of the folder, then try again.'
  }
}
