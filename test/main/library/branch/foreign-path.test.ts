import { expect, it } from 'vitest'
import { foreignLeftBehind, foreignPathTo } from '../../../../src/main/library/branch/foreign-path'
import { type Entry, EntryId } from '../../../../src/shared/model/conversation/entry'

/** Entries by short words: `q1<`, `c2<q1` (a call after q1), `r3<c2`; their first letter tells what they are. */
function entries(...words: readonly string[]): readonly Entry[] {
  return words.map((word, line) => {
    const [id = '', parent] = word.split('<')
    const type = { c: 'tool_call', r: 'tool_result' }[id[0] ?? ''] ?? 'message'
    return {
      id: EntryId.parse(id),
      timestamp: null,
      from: 'x',
      to: 'y',
      content: id,
      entry_type: type,
      ...(type === 'message' ? { role: id.startsWith('q') ? 'user' : 'agent' } : {}),
      ...(parent === undefined ? {} : { parent: parent === '' ? null : EntryId.parse(parent) }),
      file: 'file',
      line: line + 1,
      offset: line * 10,
      length: 9,
    } satisfies Entry
  })
}

function path(all: readonly Entry[], id: string, action: 'branch' | 'edit' | 'regenerate') {
  const at = all.find((entry) => entry.id === id)
  if (at === undefined) throw new Error(`no ${id}`)
  const placed = { entry: at.id, file: at.file, offset: at.offset }
  return foreignPathTo(all, placed, action).map((entry) => String(entry.id))
}

const tree = entries('q1<', 'a1<q1', 'q2<a1', 'a2<q2', 'q3<a1', 'c1<q3', 'r1<c1', 'a3<r1')

it('follows the parents where a format has them, and leaves the other branches out', () => {
  expect(path(tree, 'a3', 'branch')).toEqual(['q1', 'a1', 'q3', 'c1', 'r1', 'a3'])
  expect(path(tree, 'q3', 'edit')).toEqual(['q1', 'a1'])
  expect(path(tree, 'a2', 'regenerate')).toEqual(['q1', 'a1', 'q2'])
  expect(path(tree, 'r1', 'regenerate')).toEqual(['q1', 'a1', 'q3'])
})

it('takes the results that belong to the way, not those of another try', () => {
  const tries = entries('q1<', 'c1<q1', 'c2<q1', 'r2<c2', 'r1<c1', 'a1<r1')
  expect(path(tries, 'c1', 'branch')).toEqual(['q1', 'c1', 'r1'])
  expect(path(tree, 'c1', 'branch')).toEqual(['q1', 'a1', 'q3', 'c1', 'r1'])
})

it('takes all that stands before where a format has no parents', () => {
  const line = entries('q1', 'c1', 'c2', 'r1', 'r2', 'c3', 'r3', 'a1')
  expect(path(line, 'c2', 'branch')).toEqual(['q1', 'c1', 'c2', 'r1', 'r2'])
  expect(path(line, 'c2', 'regenerate')).toEqual(['q1'])
  expect(path(line, 'r3', 'regenerate')).toEqual(['q1', 'c1', 'c2', 'r1', 'r2'])
  expect(path(line, 'q1', 'regenerate')).toEqual(['q1'])
})

it('leaves behind the way through the cut: to where the conversation is, else to the newest end', () => {
  function left(all: readonly Entry[], id: string, action: 'branch' | 'edit', leaf?: string) {
    const at = all.find((entry) => entry.id === id)
    if (at === undefined) throw new Error(`no ${id}`)
    const placed = { entry: at.id, file: at.file, offset: at.offset }
    const taken = foreignPathTo(all, placed, action)
    const leaves = leaf === undefined ? [] : [EntryId.parse(leaf)]
    return foreignLeftBehind(all, placed, taken, leaves).map((entry) => String(entry.id))
  }
  expect(left(tree, 'a1', 'branch')).toEqual(['q3', 'c1', 'r1', 'a3'])
  expect(left(tree, 'a1', 'branch', 'a2')).toEqual(['q2', 'a2'])
  expect(left(tree, 'q2', 'edit')).toEqual(['q2', 'a2'])
  expect(left(tree, 'c1', 'branch')).toEqual(['a3'])
  expect(left(tree, 'a3', 'branch')).toEqual([])
  const line = entries('q1', 'a1', 'q2', 'a2')
  expect(left(line, 'a1', 'branch')).toEqual(['q2', 'a2'])
  expect(left(line, 'q2', 'edit')).toEqual(['q2', 'a2'])
})

it('finds an entry by its place when a relative gave it another id', () => {
  const line = entries('q1', 'a1')
  const at = { entry: EntryId.parse('L77'), file: 'file', offset: 10 }
  expect(foreignPathTo(line, at, 'branch').map(({ content }) => content)).toEqual(['q1', 'a1'])
  expect(() => foreignPathTo(line, { ...at, offset: 11 }, 'branch')).toThrow(
    'no longer has this entry',
  )
})
