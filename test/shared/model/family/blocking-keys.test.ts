import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ConversationKey } from '../../../../src/shared/model/conversation/conversation'
import type { EntryId } from '../../../../src/shared/model/conversation/entry'
import { blockingKeys, keyedEntries } from '../../../../src/shared/model/family/blocking-keys'
import { type OutlinedEntry, outlineOf } from '../../../../src/shared/model/family/outline'
import { message } from '../../../support/entries'

/** An entry for each draw: a text, a part of the line before, or a tool call. */
function drawnEntries(draws: readonly number[]): readonly OutlinedEntry[] {
  let line = 0
  let part = 0
  return draws.map((draw): OutlinedEntry => {
    part = draw === 1 && line > 0 ? part + 1 : 0
    if (part === 0) line += 1
    const id = (part === 0 ? `L${line}` : `L${line}#${part + 1}`) as EntryId
    const entry = message(`text ${draw}`, { id, role: draw % 2 === 0 ? 'user' : 'agent' })
    return draw === 2
      ? { ...entry, entry_type: 'tool_call', tool_call_id: `call_8f3a0c6e9b2d4715${line}` }
      : entry
  })
}

it('are those of the beginning, however long the conversation is', () => {
  const draws = fc.array(fc.nat(9), { minLength: 1, maxLength: 3 * keyedEntries })
  const rare = fc.array(fc.constantFrom(1, 3, 4), { minLength: 1, maxLength: 3 * keyedEntries })
  fc.assert(
    fc.property(fc.oneof(draws, rare), fc.nat(3), (drawn, calls) => {
      const all = drawnEntries([...drawn, ...Array.from({ length: calls }, () => 2)])
      const keys = (entries: readonly OutlinedEntry[]) =>
        blockingKeys(
          outlineOf({
            source: 'cycod',
            key: ConversationKey.parse('one'),
            title: 'One',
            created: null,
            updated: null,
            entries,
          }),
        )
      // A message with so many parts that its end lies behind what is read is none that anybody writes.
      fc.pre(!/1{24}/.test(drawn.join('')))
      expect(keys(all.slice(0, 2 * keyedEntries))).toEqual(keys(all))
    }),
  )
})
