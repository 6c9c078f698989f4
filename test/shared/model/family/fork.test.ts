import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openBranching } from '../../../../src/main/library/branch/branching'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { chibiReader } from '../../../../src/main/readers/chibi'
import { readRoot } from '../../../../src/main/readers/read-root'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { partWays, wholeWay } from '../../../../src/shared/model/family/fork'
import { mergeTree } from '../../../../src/shared/model/family/merge'
import {
  type OutlinedConversation,
  type OutlinedEntry,
  outlineOf,
} from '../../../../src/shared/model/family/outline'
import { message as draft } from '../../../support/entries'
import { conversation, cycodFolder, id, key, message } from '../../../support/outlined'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const fixtures = path.resolve(import.meta.dirname, '../../../fixtures')

/** Both parts of both ways, as ids; an end is `name` or `name@id`, of several entries of one id the last. */
function parted(conversations: readonly OutlinedConversation[], left: string, right: string) {
  const outlines = conversations.map(outlineOf)
  const [from, to] = [left, right].map((end) => {
    const [name, entry] = end.split('@')
    const outline = outlines.find((one) => one.key === name)
    if (outline === undefined) throw new Error(`no conversation ${name}`)
    return { outline, entry: entry === undefined ? undefined : outline.ids.lastIndexOf(id(entry)) }
  })
  if (from === undefined || to === undefined) throw new Error('two ways are parted')
  const ways = partWays(mergeTree(outlines), from, to)
  const named = ({ ids }: typeof from.outline, positions: readonly number[]) =>
    positions.map((at) => ids[at])
  return {
    left: {
      shared: named(from.outline, ways.left.shared),
      after: named(from.outline, ways.left.after),
    },
    right: {
      shared: named(to.outline, ways.right.shared),
      after: named(to.outline, ways.right.after),
    },
  }
}

const twig = (name: string, parent: string | null) =>
  message('user', 'the same words', { id: id(name), parent: parent === null ? null : id(parent) })

/** One file: a-b, then c-d and e-f from b, and a further root r. */
const inside = conversation(
  'inside',
  [
    twig('a', null),
    twig('b', 'a'),
    twig('c', 'b'),
    twig('e', 'b'),
    twig('d', 'c'),
    twig('f', 'e'),
    twig('r', null),
  ],
  { active: ['a', 'b', 'c', 'd'].map(id) },
)

it('parts two branches inside one file where they part, though both say the same', () => {
  expect(parted([inside], 'inside', 'inside@f')).toEqual({
    left: { shared: ['a', 'b'], after: ['c', 'd'] },
    right: { shared: ['a', 'b'], after: ['e', 'f'] },
  })
  expect(parted([inside], 'inside@r', 'inside@f')).toEqual({
    left: { shared: [], after: ['r'] },
    right: { shared: [], after: ['a', 'b', 'e', 'f'] },
  })
})

it('gives the earlier of two entries of one branch nothing of its own', () => {
  expect(parted([inside], 'inside@c', 'inside@d')).toEqual({
    left: { shared: ['a', 'b', 'c'], after: [] },
    right: { shared: ['a', 'b', 'c'], after: ['d'] },
  })
})

it('parts a line with several entries where a way ends within it', () => {
  const files = cycodFolder(path.join(fixtures, 'branches/cycod-family/history'))
  const file = 'chat-history-1754437300000'
  const part = parted(files, `${file}@L4`, file)
  const all = [...(files.find((one) => one.key === file)?.entries ?? [])].map((one) => one.id)
  expect(all.filter((one) => one.startsWith('L4'))).toHaveLength(2)
  expect(part.left.after).toEqual([])
  expect(part.right.shared).toEqual(part.left.shared)
  expect(part.right.after.at(0)).toBe('L4#2')
  expect([...part.right.shared, ...part.right.after]).toEqual(all)
})

it('parts any two files of a family with every entry of both ways once, and the same for both', () => {
  for (const folder of ['cycod-family', 'cycod-without-tools']) {
    const files = cycodFolder(path.join(fixtures, 'branches', folder, 'history'))
    for (const left of files)
      for (const right of files) {
        const part = parted(files, left.key, right.key)
        for (const [file, way] of [
          [left, part.left],
          [right, part.right],
        ] as const)
          expect([...way.shared, ...way.after]).toEqual([...file.entries].map((one) => one.id))
        expect(part.left.shared).toHaveLength(part.right.shared.length)
      }
  }
})

/** Context `spark` of a real home, and a branch of it after "It burns." in which two messages more were said. */
async function branchedHome() {
  const home = path.join(temp(), 'home')
  fs.cpSync(path.join(fixtures, 'chibi/home-v010'), home, { recursive: true })
  const store = openStore({ home, disk: nodeDisk })
  const branching = openBranching({
    store,
    histories: openHistories(nodeDisk, []),
    disk: nodeDisk,
    ask: () => Promise.reject(new Error('no model is asked')),
    created: async () => undefined,
  })
  const read = async () => {
    const root = await readRoot(chibiReader, home, nodeDisk, new AbortController().signal)
    return root.conversations.map((one) => ({ ...one, key: key(one.key) }))
  }
  const at = (await read())
    .find((one) => one.key === 'spark')
    ?.entries.find((one) => one.content.startsWith('It burns'))
  if (at === undefined) throw new Error('no entry to branch at')
  const branch = await branching.create(
    LibraryKey.parse('spark'),
    { entry: at.id, file: at.file, offset: at.offset },
    { type: 'branch' },
  )
  const writer = await store.openWriter(branch.key, { create: false })
  for (const content of ['Lower', 'No.']) await writer.append(draft(content))
  await writer.close()
  const file = path.join(home, 'contexts', branch.key, 'transcript/active.jsonl')
  return { read, key: branch.key, file }
}

const burns = '5b1d0c00-0000-4000-8000-000000000005'
const contentsOf = (all: readonly OutlinedConversation[], name: string) => {
  const entries: readonly OutlinedEntry[] = [
    ...(all.find((one) => one.key === name)?.entries ?? []),
  ]
  return (ids: readonly (string | undefined)[]) =>
    ids.map((one) => entries.find((entry) => entry.id === one)?.content)
}

it('parts a branch of a context from its parent behind its last copy', async () => {
  const home = await branchedHome()
  const all = await home.read()
  const { left, right } = parted(all, 'spark', home.key)
  expect([left.shared.at(-1), right.shared.at(-1)]).toEqual([burns, burns])
  expect(right.shared).toEqual(left.shared.slice(1))
  expect(contentsOf(all, home.key)(right.after)).toEqual(['Context created', 'Lower', 'No.'])
})

it('counts nothing that a branch says itself as shared where a line before its fork is damaged', async () => {
  const own = ['Context created', 'Lower', 'No.']
  for (const damaged of ['Light it', 'Not a conversation', 'It burns']) {
    const home = await branchedHome()
    const lines = fs.readFileSync(home.file, 'utf8').split('\n')
    const torn = lines.map((line) => (line.includes(damaged) ? line.slice(0, 60) : line))
    expect(torn).not.toEqual(lines)
    fs.writeFileSync(home.file, torn.join('\n'))
    const all = await home.read()
    const { left, right } = parted(all, 'spark', home.key)
    expect([damaged, contentsOf(all, home.key)(right.after)]).toEqual([damaged, own])
    expect([damaged, left.shared.at(-1)]).toEqual([damaged, burns])
  }
})

it('counts a copy whose original is damaged as the branch\u2019s own', async () => {
  const home = await branchedHome()
  const parent = path.join(path.dirname(home.file), '../../spark/transcript/active.jsonl')
  const text = fs.readFileSync(parent, 'utf8')
  fs.writeFileSync(
    parent,
    text.replace(/^.*It burns.*$/m, (line) => line.slice(0, 60)),
  )
  const all = await home.read()
  const { left, right } = parted(all, 'spark', home.key)
  const contents = contentsOf(all, home.key)
  expect(contents(left.shared).at(-1)).toBe('Not a conversation.')
  expect(contents(right.after)).toEqual(['Context created', 'It burns. 🔥', 'Lower', 'No.'])
})

it('knows the entries before a branch\u2019s first copy as its own way', () => {
  const word = (n: number) =>
    message('user', `words ${n}`, { id: id(`5b1d0c00-0000-4000-8000-00000000000${n}`) })
  const anchor = (n: number, metadata?: OutlinedEntry['metadata']): OutlinedEntry => ({
    ...word(n),
    entry_type: 'context_created',
    metadata,
  })
  const parent = conversation('parent', [anchor(0), word(1), word(2), word(3)], {
    source: 'chibi',
    created: '2026-03-01T00:00:00.000Z',
  })
  const origin = { source: 'chibi', key: 'parent', entry: word(2).id, entries: 1 }
  // Its window held the second message alone.
  const branch = conversation('branch', [anchor(8, { origin }), word(2), word(9)], {
    source: 'chibi',
    created: '2026-03-02T00:00:00.000Z',
  })
  const ids = (...all: readonly number[]) => all.map((n) => word(n).id)
  expect(parted([parent, branch], 'parent', 'branch')).toEqual({
    left: { shared: ids(0, 1, 2), after: ids(3) },
    right: { shared: ids(2), after: ids(8, 9) },
  })
  expect(parted([parent, branch], `parent@${word(1).id}`, 'branch')).toEqual({
    left: { shared: ids(0, 1), after: [] },
    right: { shared: [], after: ids(8, 2, 9) },
  })
})

it('gives all of a way that shares nothing', () => {
  const outline = outlineOf(inside)
  expect(wholeWay(outline)).toEqual({ shared: [], after: [0, 1, 2, 4] })
  expect(wholeWay(outline, 5)).toEqual({ shared: [], after: [0, 1, 3, 5] })
  expect(wholeWay(outlineOf(conversation('empty', [])))).toEqual({ shared: [], after: [] })
})
