import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openLibrary } from '../../../../src/main/library/library'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { jsonLine } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)

function homeWith(files: Readonly<Record<string, string>>) {
  const home = temp()
  const all = { 'contexts/garden/transcript/active.jsonl': `${jsonLine({})}\n`, ...files }
  for (const [name, content] of Object.entries(all)) {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    fs.writeFileSync(path.join(home, name), content)
  }
  return { home, store: openStore({ home, disk: nodeDisk }) }
}

const inbox = 'contexts/garden/inbox.jsonl'
const waiting = (content: string) => {
  const { entry_type: _, ...line } = JSON.parse(jsonLine({ content, from: 'zoo' }))
  return JSON.stringify(line)
}

describe('the inbox', () => {
  it('is shown with its damaged lines counted, and no byte of it changes', async () => {
    const bytes = `${waiting('one')}\r\nrubbish\n\n{"id": "x"}\n${waiting('two')}`
    const { home, store } = homeWith({ [inbox]: bytes })
    const found = await store.readBeside('garden')
    expect(found.inbox).toMatchObject([
      { from: 'zoo', text: 'one', at: 1 },
      { from: 'zoo', text: 'two', at: 1 },
    ])
    expect([found.inboxCount, found.inboxDamaged]).toEqual([2, 2])
    expect(fs.readFileSync(path.join(home, inbox), 'utf8')).toBe(bytes)
  })

  it('shows the first hundred and counts all', async () => {
    const lines = Array.from({ length: 130 }, (_, n) => waiting(`message ${n}`)).join('\n')
    const { store } = homeWith({ [inbox]: lines })
    const found = await store.readBeside('garden')
    expect([found.inbox.length, found.inboxCount]).toEqual([100, 130])
  })

  it('that cannot be read is told, and hides nothing else', async () => {
    const { home, store } = homeWith({ 'session.json': '{"implied_context": "garden"}' })
    fs.mkdirSync(path.join(home, inbox))
    expect(await store.readBeside('garden')).toMatchObject({
      inboxCount: 0,
      mark: 'current',
      notices: [expect.stringMatching(/^inbox\.jsonl was not read: /)],
    })
  })
})

describe('the end that chibi has set for a context', () => {
  const stateWith = (garden: object) => ({
    'state.json': JSON.stringify({ contexts: [{ name: 'garden', ...garden }] }),
  })
  it.each([
    [{}, null],
    [{ destroy_at: 0, destroy_after_seconds_inactive: 0, last_activity_at: 9 }, null],
    [{ destroy_at: 500 }, 500],
    [{ destroy_after_seconds_inactive: 60, last_activity_at: 100 }, 160],
    [{ destroy_after_seconds_inactive: 60, last_activity_at: 0 }, null],
    [{ destroy_at: 120, destroy_after_seconds_inactive: 60, last_activity_at: 100 }, 120],
    [{ destroy_at: 'soon' }, null],
  ])('is told of %o', async (garden, expected) => {
    const { home, store } = homeWith(stateWith(garden))
    expect((await store.readBeside('garden')).expiresAt).toBe(expected)
    expect(fs.existsSync(path.join(home, 'contexts/garden'))).toBe(true)
  })
})

it.each([
  [
    '{"contexts": [{"name": "other"}, {"nom": "x"}, 7]}',
    ['2 entries of state.json have no context name and are kept as written.'],
  ],
  [
    '{"contexts": [null, "garden"]}',
    ['1 entry of state.json has no context name and is kept as written.'],
  ],
  ['{"contexts": {}}', ['state.json is damaged.']],
  ['', []],
])('what nobody understands in state.json is said: %s', async (state, notices) => {
  const { store } = homeWith({ 'state.json': state })
  expect((await store.readBeside('garden')).notices).toEqual(notices)
})

it('a damaged session.json tells of no current context', async () => {
  const { store } = homeWith({ 'session.json': '{', 'state.json': '{"contexts": []}' })
  expect((await store.readBeside('garden')).mark).toBeNull()
})

it('a cleared context has no summary of what was compacted before', async () => {
  const anchor = (entry_type: string, metadata?: object) => jsonLine({ entry_type, metadata })
  const lines = [anchor('compaction', { summary: 'Peas.' }), anchor('context_created')]
  const active = 'contexts/garden/transcript/active.jsonl'
  const kept = homeWith({ [active]: lines.join('\n') })
  expect((await kept.store.readBeside('garden')).keptSummary).toBe('Peas.')
  const cleared = homeWith({ [active]: [...lines, anchor('archival'), jsonLine({})].join('\n') })
  expect((await cleared.store.readBeside('garden')).keptSummary).toBeUndefined()
})

it('the details of a context tell what stands beside it', async () => {
  const { store } = homeWith({ [inbox]: waiting('one'), 'contexts/garden/goals.md': 'Peas' })
  const library = openLibrary({
    disk: nodeDisk,
    store,
    shownHome: '~/.chibi',
    isRunning: () => false,
    changed: () => undefined,
    watched: false,
  })
  expect(await library.details(LibraryKey.parse('garden'))).toMatchObject({
    goals: 'Peas',
    beside: { inboxCount: 1, hasSystemPrompt: false, mark: null, expiresAt: null },
  })
  await library.close()
})
