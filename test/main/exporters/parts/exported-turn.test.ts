import { expect, it } from 'vitest'
import { exportedTurn } from '../../../../src/main/exporters/parts/exported-turn'
import { branchSummaryEntry } from '../../../../src/shared/model/conversation/branch-summary'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { entryAt } from '../../../support/exported'

it('names the summary of a branch that was left as what it is, and not as words of a person', () => {
  const summary = { text: 'Sand failed.', model: 'm', messages: 4 }
  const facts = { id: EntryId.parse('s'), context: 'garden-2', timestamp: 1_764_000_000 }
  const entry = {
    ...entryAt(1, {}),
    ...branchSummaryEntry(summary, LibraryKey.parse('garden'), facts),
  }
  const turn = exportedTurn({ type: 'entry', entry })
  expect([turn.type, turn.name]).toEqual(['system', 'Summary of another branch'])
  expect(turn.text).toContain('Sand failed.')
})
