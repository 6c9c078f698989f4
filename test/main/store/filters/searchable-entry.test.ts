import { expect, it } from 'vitest'
import { toSearchableEntry } from '../../../../src/main/store/filters/searchable-entry'
import { EntryId } from '../../../../src/shared/model/conversation/entry'

const entry = {
  id: EntryId.parse('e'),
  timestamp: 1,
  from: 'garden',
  to: 'user',
  content: 'Good morning.',
  entry_type: 'message',
} as const

it('finds what was thought beside the words, and the names of what came along', () => {
  const metadata = {
    reasoning: 'The word of the day is zanzibar.',
    attachments: [{ filename: 'plan.pdf' }, 'no object', { filename: 7 }],
    images: [{ name: 'bean.png' }],
    model: 'not searched here',
  }
  expect(toSearchableEntry({ ...entry, metadata }).text).toBe(
    'Good morning.\n\nplan.pdf\n\nbean.png\n\nThe word of the day is zanzibar.',
  )
  expect(toSearchableEntry({ ...entry, metadata: { reasoning: 7 } }).text).toBe('Good morning.')
  expect(toSearchableEntry(entry).text).toBe('Good morning.')
})
