import { isJsonObject } from '../../../shared/model/basics/json-object'
import { attachmentFields } from '../common/content/attached'
import { type Fields, type TimelessEntry, unknownEntry, withFields } from '../common/drafts'
import { silentLoopTypes } from './known'
import { answerText, kimiCall, kimiParts, thoughtOf, toolAnswer } from './message'

/** Converts an event of the model's loop: a part of an answer, a call, or its result; none for the frame of a step. */
export function loopEntries(event: Fields, text: string): readonly TimelessEntry[] {
  const { type, part, toolCallId, name, args, result } = event
  if (silentLoopTypes.has(type)) return []
  if (type === 'content.part') return partEntries(part)
  if (type === 'tool.call') return [kimiCall(toolCallId, name, args)]
  if (type === 'tool.result') {
    const {
      output,
      note,
      isError,
      is_error: failed,
    } = isJsonObject(result) ? result : { output: result }
    return [
      toolAnswer({ id: toolCallId, output, note, isError: isError === true || failed === true }),
    ]
  }
  return [unknownEntry('kimi', typeof type === 'string' ? type : '', text)]
}

function partEntries(part: unknown): readonly TimelessEntry[] {
  const { thoughts, texts, ...others } = kimiParts(part)
  if (thoughts.length > 0) return thoughts.map(thoughtOf)
  return [withFields(answerText(texts.join('\n')), attachmentFields(others))]
}
