import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { type TimelessEntry, textIn, unknownEntry, withFields } from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { ValueMeaning } from '../common/value-meaning'

/** Converts one line of a session's record file (`records`). Uses nothing but this line. */
export function aiderLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  if (position !== 'line') return 'a part of a turn'
  if ('session' in line) return { type: 'control' }
  const { said, answer, program, model, usage } = line
  if (typeof said === 'string')
    return entryLine({
      from: 'user',
      to: 'aider',
      content: said,
      entry_type: 'message',
      role: 'user',
    })
  if (typeof answer === 'string')
    return entryLine(
      withFields(
        { from: 'aider', to: 'user', content: answer, entry_type: 'message', role: 'agent' },
        {
          ...(textIn(model) === undefined ? {} : { model }),
          ...(isJsonObject(usage) ? { usage } : {}),
        },
      ),
    )
  if (typeof program === 'string')
    return entryLine({
      from: 'system',
      to: 'user',
      content: program,
      entry_type: 'message',
      role: 'system',
    })
  return entryLine(unknownEntry('aider', 'turn', text))
}

function entryLine(entry: TimelessEntry): ValueMeaning {
  return { type: 'entries', entries: [{ timestamp: null, ...entry }] }
}
