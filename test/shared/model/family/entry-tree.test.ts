import { describe, expect, it } from 'vitest'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { entryTree } from '../../../../src/shared/model/family/entry-tree'
import type { TreeEntry } from '../../../../src/shared/model/family/tree-record'

const id = (text: string) => EntryId.parse(text)

/** Entries as `id<parent`, `id<` for a root, `id` for one without a parent: `u` a person, `a` a model, `r` a result, `s` the system, `x` a subagent's. */
function entries(text: string): readonly TreeEntry[] {
  return text.split(' ').map((word) => {
    const [name = '', parent] = word.split('<')
    const role = ({ u: 'user', a: 'agent', s: 'system', x: 'agent' } as const)[name[0] ?? '']
    return {
      id: id(name),
      to: 'x',
      content: name,
      entry_type: role === undefined ? 'tool_result' : 'message',
      ...(role === undefined ? {} : { role }),
      ...(parent === undefined ? {} : { parent: parent === '' ? null : id(parent) }),
      ...(name.startsWith('x') ? { metadata: { subagent: 'x' } } : {}),
    }
  })
}

function active(text: string, ...leaves: readonly string[]): string | undefined {
  const all = entries(text)
  const path = entryTree(all, 'human-turns')?.active(leaves.map(id))
  return path?.map((at) => all[at]?.id).join(' ')
}

describe('the path to where a conversation is now', () => {
  it('is none for a format without parents', () => {
    expect(active('u1 a1')).toBeUndefined()
  })

  it('leads to the leaf that is named, else to the newest entry', () => {
    const text = 'u1< a1<u1 u2<a1 a2<u2 u3<a1 a3<u3'
    expect(active(text)).toBe('u1 a1 u3 a3')
    expect(active(text, 'a2')).toBe('u1 a1 u2 a2')
    expect(active(text, 'gone', 'a2')).toBe('u1 a1 u2 a2')
  })

  it('has the results of parallel calls and every part of a record', () => {
    expect(active('u1< a1<u1 a1#2<a1 r2<a1 r1<a1 a2<r2')).toBe('u1 a1 a1#2 r2 r1 a2')
  })

  it('takes what has no parent with what comes before it in the file', () => {
    expect(active('u1< L2 a1<u1 L4')).toBe('u1 L2 a1 L4')
    expect(active('L1 u1< a1<u1')).toBe('L1 u1 a1')
    // Of two ways, the one that it follows.
    expect(active('u1< a1<u1 u2<a1 L4 u3<a1 a3<u3 L7', 'u2')).toBe('u1 a1 u2 L4')
  })

  it('leaves a subagent out that lies in the same file', () => {
    expect(active('u1< a1<u1 x1< x2<x1 r1<a1 a2<r1 x3<x2')).toBe('u1 a1 r1 a2')
    expect(active('u1< a1<u1 x1< L4 x2<x1')).toBe('u1 a1 L4')
  })
})

it('names entries that go on over a missing parent, and the way to any entry', () => {
  const all = entries('u1< a1<u1 u2<gone a2<u2 u3<a1')
  const tree = entryTree(all, 'human-turns')
  expect([...(tree?.seams ?? [])]).toEqual([2])
  expect(tree?.pathTo(3)).toEqual([0, 1, 2, 3])
  expect(tree?.pathTo(4)).toEqual([0, 1, 4])
})
