import { describe, expect, it } from 'vitest'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import { indexOfLine } from '../../../../src/renderer/transcript/items/index-of-line'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { answered, called, returned, rowsOf, said } from '../../harness/rows'

describe('the item at a place', () => {
  const rows = rowsOf([
    said('Which beds?'),
    answered('I look.'),
    called('read', {}, '1'),
    returned('read', 'the north bed', '1'),
    answered('The north bed.'),
  ]).map((row, n) => {
    if (row.type !== 'entry') throw new Error('no entry')
    // The answer is one line, as an export has it.
    const line = n === 0 ? { offset: 0 } : { offset: 100, length: 900 }
    return { ...row, entry: { ...row.entry, ...line, id: EntryId.parse(`e${n}`) } }
  })
  const items = buildItems(rows, { hasBefore: false, shownAs: new Map() })
  const file = rows[0]?.entry.file ?? ''
  const typeAt = (entry?: string) => {
    const id = entry === undefined ? {} : { entry: EntryId.parse(entry) }
    const item = items[indexOfLine(items, { file, offset: 100, ...id })]
    return item?.type === 'agent' ? item.text : item?.type
  }

  it('is that of the entry which is meant, where a line has several', () => {
    expect(['e1', 'e2', 'e3', 'e4'].map(typeAt)).toEqual([
      'I look.',
      'tool',
      'tool',
      'The north bed.',
    ])
  })

  it('is the first of the line where none is meant, or the entry is not there', () => {
    expect([typeAt(), typeAt('gone')]).toEqual(['I look.', 'I look.'])
  })
})
