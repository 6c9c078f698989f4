import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { adoptedName, branchName } from '../../../../src/main/library/branch/branch-names'
import { openBranching } from '../../../../src/main/library/branch/branching'
import { openFamilies } from '../../../../src/main/library/families/families'
import { openHistories } from '../../../../src/main/library/sources/histories'
import type { ChatMessage, ProviderStream } from '../../../../src/main/llm/chat/provider'
import { toChatMessages } from '../../../../src/main/llm/prompt/messages'
import { openRuns } from '../../../../src/main/llm/run/runs'
import type { Endpoint } from '../../../../src/main/settings/endpoint/endpoint'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { findImage, keepImages } from '../../../../src/main/store/texts/attachments'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import {
  type Entry,
  type EntryDraft,
  EntryId,
} from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import type { BranchAction, EntryRef } from '../../../../src/shared/model/family/branching'
import { contextOrigin } from '../../../../src/shared/model/family/family'
import { message } from '../../../support/entries'
import { atDrawnCalls } from '../../../support/every-call'
import { faultyDisk } from '../../../support/faulty-disk'
import { onePoint } from '../../../support/images'
import { scriptedProvider } from '../../../support/scripted-provider'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const garden = LibraryKey.parse('garden')
const ofTest = { origin: 'default', where: 'test' } as const
const ready: Endpoint = {
  provider: 'endpoint',
  model: { value: 'test-model', ...ofTest },
  baseUrl: { value: 'http://127.0.0.1:1/v1', ...ofTest },
  username: { value: 'mira', ...ofTest },
  faults: [],
}

/** What a message says; undefined for calls. */
function textOf(sent: ChatMessage): string | undefined {
  return 'content' in sent ? sent.content : undefined
}

interface SetUp {
  readonly maxEntries?: number
  readonly provider?: ProviderStream
  readonly endpoint?: Endpoint
  readonly disk?: typeof nodeDisk
}

/** A home with one context, and everything that branches are made with. */
async function setUp(drafts: readonly EntryDraft[], options: SetUp = {}) {
  const home = path.join(temp(), 'home')
  const { maxEntries = 1000, disk = nodeDisk } = options
  const policy = { ...defaultRotationPolicy, maxEntries }
  const store = openStore({ home, disk, storagePolicy: async () => policy })
  const first = await openStore({
    home,
    disk: nodeDisk,
    storagePolicy: async () => policy,
  }).openWriter('garden', { create: true })
  for (const draft of drafts) await first.append(draft)
  await first.close()
  let wake: () => void = () => undefined
  const complete = new Promise<void>((resolve) => {
    wake = resolve
  })
  const asked: string[] = []
  const created: string[] = []
  const answered = scriptedProvider([
    { type: 'content', text: 'another answer' },
    { type: 'finish', reason: 'stop' },
  ])
  const runs = openRuns({
    store,
    async endpoint(context) {
      asked.push(context)
      return options.endpoint ?? ready
    },
    provider: () => options.provider ?? answered.stream,
    tellDelta: () => undefined,
    tellProgress({ phase }) {
      if (phase === 'complete') wake()
    },
    appended: async () => undefined,
  })
  const branching = openBranching({
    store,
    histories: openHistories(nodeDisk, []),
    disk: nodeDisk,
    ask: (beginning, request) => runs.startIn(beginning, request),
    created: async (key) => void created.push(key),
  })
  const entriesOf = async (name: string): Promise<readonly Entry[]> => {
    const entries: Entry[] = []
    for await (const row of requireWhole((await store.readWhole(name)).rows))
      if (row.type === 'entry') entries.push(row.entry)
    return entries
  }
  const branch = async (content: string, action: BranchAction, from = 'garden') => {
    const entry = (await entriesOf(from)).find((one) => one.content === content)
    if (entry === undefined) throw new Error(`no entry ${content}`)
    const at: EntryRef = { entry: entry.id, file: entry.file, offset: entry.offset }
    return branching.create(LibraryKey.parse(from), at, action)
  }
  const contentsOf = async (name: string) => (await entriesOf(name)).map(({ content }) => content)
  return {
    home,
    store,
    runs,
    branching,
    branch,
    entriesOf,
    contentsOf,
    asked,
    created,
    answered,
    complete,
  }
}

const said = (content: string) => message(content)
const answer = (content: string) =>
  message(content, { from: 'garden', to: 'user', role: 'agent', metadata: { model: 'm' } })
const call = (id: string) =>
  message(`{"q":"${id}"}`, { entry_type: 'tool_call', to: 'search', tool_call_id: id })
const result = (id: string) =>
  message(`found ${id}`, { entry_type: 'tool_result', from: 'search', tool_call_id: id })
const anchor = (type: string, summary?: string) =>
  message(`anchor ${type}`, {
    from: 'system',
    entry_type: type,
    ...(summary === undefined ? {} : { metadata: { summary } }),
  })

const talk = [said('q1'), answer('a1'), said('q2'), answer('a2'), said('q3'), answer('a3')]

it('a branch holds the parent up to the entry under the same ids, and the parent stays as it is', async () => {
  const { home, branch, entriesOf, created } = await setUp(talk)
  const file = path.join(home, 'contexts/garden/transcript/active.jsonl')
  const before = [fs.readFileSync(file), fs.statSync(file).mtimeMs]
  expect(await branch('a2', { type: 'branch' })).toEqual({ key: 'garden-2' })
  expect(created).toEqual(['garden-2'])
  const parent = await entriesOf('garden')
  const [first, ...copies] = await entriesOf('garden-2')
  const drafts = parent
    .slice(1, 5)
    .map(({ file: _, line: __, offset: ___, length: ____, ...draft }) => draft)
  expect(copies).toEqual(drafts.map((draft) => expect.objectContaining(draft)))
  expect(first && contextOrigin(first)).toEqual({
    source: 'chibi',
    key: 'garden',
    entry: parent[4]?.id,
    entries: 4,
  })
  expect([fs.readFileSync(file), fs.statSync(file).mtimeMs]).toEqual(before)
})

it('a branch loses nothing of metadata that is nested too deeply: it has its text', async () => {
  const { home, branch, entriesOf } = await setUp(talk)
  const file = path.join(home, 'contexts/garden/transcript/active.jsonl')
  const deep = `{"a":${'['.repeat(20_000)}"x"${']'.repeat(20_000)}}`
  const written = fs.readFileSync(file, 'utf8').split('\n')
  const lines = written.map((line) =>
    line.includes('"a1"') ? line.replace('"model":"m"', `"model":"m","x":${deep}`) : line,
  )
  fs.writeFileSync(file, lines.join('\n'))
  await branch('a2', { type: 'branch' })
  const copy = (await entriesOf('garden-2')).find(({ content }) => content === 'a1')
  expect(copy?.metadata).toEqual({ model: 'm', deep_fields: { x: deep } })
  expect(fs.readFileSync(file, 'utf8')).toContain(deep)
})

it('an edit writes the words with the copies and asks the model, with the settings of the parent', async () => {
  const { branch, contentsOf, runs, asked, answered, complete } = await setUp(talk)
  const made = await branch('q2', { type: 'edit', text: 'q2 again' })
  expect(made).toEqual({ key: 'garden-2', runId: expect.any(String) })
  expect((await contentsOf('garden-2')).slice(0, 4)).toEqual([
    'Context created',
    'q1',
    'a1',
    'q2 again',
  ])
  await complete
  await runs.close()
  expect(asked).toEqual(['garden'])
  expect(answered.requests[0]?.messages.map(textOf)).toEqual(['q1', 'a1', 'q2 again'])
})

it('images go along: a branch has files of its own, and an edit sends them with the new words', async () => {
  const { home, branch, entriesOf, complete, store } = await setUp(talk)
  const place = { disk: nodeDisk, home, context: 'garden' }
  const images = await keepImages(place, [{ name: 'bean.png', bytes: onePoint }])
  const writer = await store.openWriter('garden', { create: false })
  await writer.append(message('q4', { metadata: { images } }))
  await writer.append(answer('a4'))
  await writer.close()
  const file = images[0]?.file ?? ''

  await branch('a4', { type: 'branch' })
  const copied = path.join(home, 'contexts/garden-2', file)
  expect(fs.readFileSync(copied).equals(onePoint)).toBe(true)
  expect((await entriesOf('garden-2')).at(-2)?.metadata).toEqual({ images })
  await branch('a2', { type: 'branch' })
  expect(fs.existsSync(path.join(home, 'contexts/garden-3/attachments'))).toBe(false)

  await branch('q4', { type: 'edit', text: 'q4 again' })
  await complete
  const edited = (await entriesOf('garden-4')).find(({ content }) => content === 'q4 again')
  expect(edited?.metadata).toEqual({ images })
  fs.rmSync(path.join(home, 'contexts/garden'), { recursive: true })
  const found = await findImage({ ...place, context: 'garden-4' }, file)
  expect(found?.bytes).toHaveLength(onePoint.length)
})

it('the first message can be edited', async () => {
  const { branch, contentsOf, entriesOf, runs } = await setUp(talk)
  await branch('q1', { type: 'edit', text: 'q1 again' })
  await runs.close()
  expect((await contentsOf('garden-2')).slice(0, 2)).toEqual(['Context created', 'q1 again'])
  const [first] = await entriesOf('garden-2')
  expect(first && contextOrigin(first)).toMatchObject({ entries: 0 })
})

it('an answer is asked for again without it and what came after it', async () => {
  const { branch, contentsOf, runs, complete } = await setUp(talk)
  await branch('a2', { type: 'regenerate' })
  await complete
  await runs.close()
  expect(await contentsOf('garden-2')).toEqual([
    'Context created',
    'q1',
    'a1',
    'q2',
    'another answer',
  ])
})

it('only a person’s words can be edited', async () => {
  const { branch, store } = await setUp(talk)
  await expect(branch('a1', { type: 'edit', text: 'x' })).rejects.toMatchObject({
    code: 'bad-argument',
  })
  expect((await store.listContexts()).map(({ name }) => name)).toEqual(['garden'])
})

it('without a model an edit and a regenerate make nothing, and a branch is made', async () => {
  const endpoint: Endpoint = {
    ...ready,
    notReady: { code: 'no-model', message: 'No model is chosen.' },
  }
  const { branch, store } = await setUp(talk, { endpoint })
  for (const action of [{ type: 'edit', text: 'x' }, { type: 'regenerate' }] as const)
    await expect(branch('q2', action)).rejects.toMatchObject({ code: 'no-model' })
  expect((await store.listContexts()).map(({ name }) => name)).toEqual(['garden'])
  await branch('q2', { type: 'branch' })
  expect(await store.findContext('garden-2')).toBeDefined()
})

it('a tool’s call is never parted from its result', async () => {
  const { branch, contentsOf, store, runs } = await setUp([
    said('q1'),
    call('one'),
    call('two'),
    result('one'),
    result('two'),
    answer('a1'),
  ])
  for (const content of ['{"q":"one"}', '{"q":"two"}', 'found one', 'found two']) {
    const { key } = await branch(content, { type: 'branch' })
    expect((await contentsOf(key)).slice(1)).toEqual([
      'q1',
      '{"q":"one"}',
      '{"q":"two"}',
      'found one',
      'found two',
    ])
    const writer = await store.openWriter(key, { create: false })
    const messages = toChatMessages(await writer.window('refuse'), {})
    await writer.close()
    expect(messages.filter(({ role }) => role === 'tool').map(textOf)).toEqual([
      'found one',
      'found two',
    ])
  }
  const again = await branch('found one', { type: 'regenerate' })
  expect((await contentsOf(again.key)).slice(1, 2)).toEqual(['q1'])
  expect(await contentsOf(again.key)).not.toContain('{"q":"one"}')
  await runs.close()
})

it('two turns of tools one after the other are two', async () => {
  const turns = [said('q1'), call('one'), result('one'), call('two'), result('two'), answer('a1')]
  const { branch, contentsOf } = await setUp(turns)
  const { key } = await branch('found one', { type: 'branch' })
  expect((await contentsOf(key)).slice(1)).toEqual(['q1', '{"q":"one"}', 'found one'])
})

it('takes the window over, and what its summary says', async () => {
  const { home, branch, entriesOf, contentsOf, store } = await setUp([
    said('q1'),
    anchor('compaction', 'They greeted.'),
    anchor('context_created'),
    said('q2'),
    answer('a2'),
    anchor('compaction', 'They said more.'),
    said('q3'),
  ])
  const folder = path.join(home, 'contexts/garden')
  fs.writeFileSync(path.join(folder, 'summary.md'), 'They said more, I wrote.')
  fs.writeFileSync(path.join(folder, 'system_prompt.md'), 'Be terse.')
  fs.writeFileSync(path.join(folder, 'todos.md'), '- weed')
  fs.writeFileSync(path.join(folder, 'local.toml'), 'model = "m"\n')

  const early = await branch('a2', { type: 'branch' })
  expect((await contentsOf(early.key)).slice(1)).toEqual(['q2', 'a2'])
  expect((await entriesOf(early.key))[0]?.metadata).toMatchObject({ summary: 'They greeted.' })
  expect(await store.readNotes(early.key)).toMatchObject({
    summary: 'They greeted.',
    systemPrompt: 'Be terse.',
    todos: '- weed',
  })
  expect(fs.readFileSync(path.join(home, 'contexts', early.key, 'local.toml'), 'utf8')).toBe(
    'model = "m"\n',
  )

  const late = await branch('q3', { type: 'branch' })
  expect((await contentsOf(late.key)).slice(1)).toEqual(['q3'])
  expect((await store.readNotes(late.key)).summary).toBe('They said more, I wrote.')

  const first = await branch('q1', { type: 'branch' })
  expect((await store.readNotes(first.key)).summary).toBeUndefined()
})

it('takes over the summary that was told in a window which began without one', async () => {
  const summary = '2 messages were archived without a summary.'
  const dropped = () =>
    message('anchor of a drop', {
      from: 'system',
      entry_type: 'compaction',
      metadata: { summary, compaction: { mode: 'drop' } },
    })
  const { branch, entriesOf, store } = await setUp([
    said('q1'),
    dropped(),
    said('q2'),
    anchor('compaction', 'They greeted.'),
    said('q3'),
    dropped(),
    said('q4'),
    anchor('compaction', 'They said more.'),
    said('q5'),
  ])
  // A model that has no summary is told that something is missing.
  const before = await branch('q2', { type: 'branch' })
  expect((await store.readNotes(before.key)).summary).toBe(summary)
  const { key } = await branch('q4', { type: 'branch' })
  expect((await entriesOf(key))[0]?.metadata).toMatchObject({ summary: 'They greeted.' })
  expect((await store.readNotes(key)).summary).toBe('They greeted.')
})

it('takes over no summary that was cleared, also right after its window began', async () => {
  const kept = EntryId.parse('kept')
  const { branch, entriesOf, contentsOf, store } = await setUp([
    said('q1'),
    { ...said('q2'), id: kept },
    message('a share', {
      from: 'system',
      entry_type: 'compaction',
      metadata: { summary: 'They greeted.', kept: [kept] },
    }),
    message('Context archived/cleared', {
      from: 'system',
      entry_type: 'archival',
      metadata: { cleared_summary: 'They greeted.' },
    }),
    said('q3'),
  ])
  const { key } = await branch('q3', { type: 'branch' })
  expect((await contentsOf(key)).slice(1)).toEqual(['q3'])
  expect((await store.readNotes(key)).summary).toBeUndefined()
  expect((await entriesOf(key))[0]?.metadata).not.toHaveProperty('summary')
})

it('takes over the words before a summary, also in a branch of the branch', async () => {
  const compaction = { mode: 'full', archived: 2, continuation: 'Go on, gardener.' }
  const { branch, entriesOf, store } = await setUp([
    said('q1'),
    answer('a1'),
    message('all', {
      from: 'system',
      entry_type: 'compaction',
      metadata: { summary: 'They greeted.', compaction },
    }),
    said('q2'),
    answer('a2'),
    message('a share', {
      from: 'system',
      entry_type: 'compaction',
      metadata: { summary: 'They went on.', compaction: { mode: 'rolling', archived: 2 } },
    }),
    said('q3'),
  ])
  const toldIn = async (key: string) => {
    const { summary } = await store.readNotes(key)
    return toChatMessages(await entriesOf(key), { summary })[0]
  }
  const content = '--- CONVERSATION SUMMARY ---\nGo on, gardener.\n\nThey greeted.'
  const first = await branch('q2', { type: 'edit', text: 'q2, anew' })
  expect(await toldIn(first.key)).toEqual({ role: 'system', content })
  // How many went is said of the parent's window alone.
  const [anchorOfIt] = await entriesOf(first.key)
  expect(anchorOfIt?.metadata?.compaction).toEqual({
    mode: 'full',
    continuation: 'Go on, gardener.',
  })
  const second = await branch('q2, anew', { type: 'branch' }, first.key)
  expect(await toldIn(second.key)).toEqual({ role: 'system', content })
  const other = await branch('q3', { type: 'branch' })
  expect((await toldIn(other.key))?.content).toBe('--- CONVERSATION SUMMARY ---\nThey went on.')
  expect((await entriesOf(other.key))[0]?.metadata).not.toHaveProperty('compaction')
})

it('counts what it has copied, where the window keeps what is not there or is there twice', async () => {
  const twice = EntryId.parse('twice')
  const { branch, entriesOf, contentsOf } = await setUp([
    { ...said('older'), id: twice },
    answer('a1'),
    { ...said('newer'), id: twice },
    answer('a2'),
    message('anchor', {
      from: 'system',
      entry_type: 'compaction',
      metadata: { summary: 'They greeted.', kept: ['nope1', 'nope2', twice] },
    }),
    said('q3'),
    answer('a3'),
  ])
  const { key } = await branch('q3', { type: 'branch' })
  expect((await contentsOf(key)).slice(1)).toEqual(['newer', 'q3'])
  const [first] = await entriesOf(key)
  expect(first && contextOrigin(first)?.entries).toBe(2)
})

it('a branch from an archived partition and a branch of a branch name their parents', async () => {
  const { branch, contentsOf, entriesOf, store } = await setUp(talk, { maxEntries: 3 })
  expect((await entriesOf('garden'))[1]?.file).toContain('partitions/')
  await branch('a1', { type: 'branch' })
  expect((await contentsOf('garden-2')).slice(1)).toEqual(['q1', 'a1'])
  const writer = await store.openWriter('garden-2', { create: false })
  await writer.append(said('q2 of the branch'))
  await writer.close()
  const second = await branch('q2 of the branch', { type: 'branch' }, 'garden-2')
  expect(second.key).toBe('garden-3')
  expect((await contentsOf('garden-3')).slice(1)).toEqual(['q1', 'a1', 'q2 of the branch'])
  const [first] = await entriesOf('garden-3')
  expect(first && contextOrigin(first)).toMatchObject({ key: 'garden-2', entries: 3 })
})

it('finds an entry that a rotation has moved to another file since it was shown', async () => {
  const { branching, entriesOf, store, contentsOf } = await setUp(talk.slice(0, 3), {
    maxEntries: 5,
  })
  const shown = (await entriesOf('garden')).at(-1)
  const writer = await store.openWriter('garden', { create: false })
  await writer.append(answer('a2'))
  await writer.close()
  if (shown === undefined) throw new Error('nothing is shown')
  const at = { entry: shown.id, file: shown.file, offset: shown.offset }
  const { key } = await branching.create(garden, at, { type: 'branch' })
  expect((await contentsOf(key)).slice(1)).toEqual(['q1', 'a1', 'q2'])
})

it('reads a parent whose lock somebody holds', async () => {
  const { branch, store, contentsOf } = await setUp(talk)
  const writer = await store.openWriter('garden', { create: false })
  try {
    await branch('a1', { type: 'branch' })
  } finally {
    await writer.close()
  }
  expect((await contentsOf('garden-2')).slice(1)).toEqual(['q1', 'a1'])
})

it('a full disk makes no branch, and says so', async () => {
  const disk = faultyDisk(nodeDisk)
  const { branch, store } = await setUp(talk, { disk })
  disk.plan({ fault: 'no-space', at: 4 })
  await expect(branch('q2', { type: 'edit', text: 'x' })).rejects.toMatchObject({
    code: 'disk-full',
  })
  expect((await store.listContexts()).map(({ name }) => name)).toEqual(['garden'])
})

it('an entry that is not there is told', async () => {
  const { branching } = await setUp(talk)
  const at = { entry: message('x').id, file: 'nowhere', offset: 0 }
  await expect(branching.create(garden, at, { type: 'branch' })).rejects.toMatchObject({
    code: 'not-found',
  })
  await expect(
    branching.create(LibraryKey.parse('cycod:gone'), at, { type: 'branch' }),
  ).rejects.toMatchObject({ code: 'not-found' })
})

it('the family shows the parent and its branches, and where they part', async () => {
  const { home, branch, entriesOf, runs } = await setUp(talk)
  await branch('q2', { type: 'edit', text: 'q2 again' })
  await branch('q1', { type: 'edit', text: 'q1 again' })
  await runs.close()
  const families = openFamilies({ home, roots: [], disk: nodeDisk, changed: () => undefined })
  await families.settled()
  const parent = await entriesOf('garden')
  const { view, counting } = await families.family(garden)
  expect(counting).toBe(false)
  expect(
    view?.forks.map(({ entry, index, ways }) => [entry, index, ways.map(({ key }) => key)]),
  ).toEqual([
    [parent[1]?.id, 0, ['garden', 'garden-3']],
    [parent[3]?.id, 0, ['garden', 'garden-2']],
  ])
  expect(view?.path.map(({ firstEntry }) => firstEntry)).toEqual([
    parent[0]?.id,
    parent[1]?.id,
    parent[3]?.id,
  ])
  const edited = await entriesOf('garden-2')
  const other = (await families.family(LibraryKey.parse('garden-2'))).view
  expect(other?.forks.at(-1)).toMatchObject({ entry: edited[3]?.id, index: 1 })
  expect(other?.forks.at(-1)?.ways[0]).toMatchObject({ key: 'garden', entry: parent[3]?.id })
  await families.close()
})

it('a branch in which nothing was said yet stands at its last copy', async () => {
  const { home, branch, entriesOf } = await setUp(talk)
  await branch('a1', { type: 'branch' })
  const families = openFamilies({ home, roots: [], disk: nodeDisk, changed: () => undefined })
  await families.settled()
  const parent = await entriesOf('garden')
  const last = (await entriesOf('garden-2')).at(-1)?.id
  const there = (await families.family(garden)).view
  expect(there?.forks.map(({ entry }) => entry)).toEqual([parent[3]?.id])
  expect(there?.forks[0]?.ways[1]).toMatchObject({ key: 'garden-2', entry: last })
  const here = (await families.family(LibraryKey.parse('garden-2'))).view
  expect(here?.forks).toMatchObject([{ entry: last, index: 1 }])
  expect(here?.path.map(({ firstEntry, lastEntry }) => [firstEntry, lastEntry])).toEqual([
    [parent[1]?.id, parent[2]?.id],
    [last, last],
  ])
  await families.close()
})

it.each([
  ['garden', ['garden'], 'garden-2'],
  ['garden', ['garden', 'Garden-2'], 'garden-3'],
  ['garden-2', ['garden', 'garden-2'], 'garden-3'],
  ['plan-2024', ['plan-2024'], 'plan-2024-2'],
  ['x'.repeat(128), [], `${'x'.repeat(120)}-2`],
])('a branch of %s among %j is %s', (parent, taken, name) => {
  expect(branchName(parent, new Set(taken.map((one) => one.toLowerCase())))).toBe(name)
})

it.each([
  ['Fix the parser’s bug, née Käfer!', 'fix-the-parsers-bug-nee-kafer'],
  ['日本語', 'chat-history-1'],
  ['user', 'user-2'],
  ['taken', 'taken-2'],
  [`${'very '.repeat(100)}long`, `${'very-'.repeat(11)}very`],
])('an adopted %s is %s', (title, name) => {
  expect(adoptedName(title, 'chat-history-1', new Set(['taken']))).toBe(name)
})

it('makes one branch and no second one, whichever call fails after the disk has done it', async () => {
  let made = 0
  const calls = await atDrawnCalls(async (at) => {
    const disk = faultyDisk(nodeDisk)
    const { home, branch, contentsOf } = await setUp([said('one'), answer('two')], { disk })
    disk.plan({ fault: 'done-then-io', at })
    const isTold = await branch('two', { type: 'branch' }).then(
      () => true,
      () => false,
    )
    const kinds = disk.kinds()
    const others = fs.readdirSync(path.join(home, 'contexts')).filter((name) => name !== 'garden')
    expect(others).toEqual(isTold || others.length > 0 ? ['garden-2'] : [])
    if (others.length > 0) {
      made += 1
      expect((await contentsOf('garden-2')).slice(1)).toEqual(['one', 'two'])
    }
    return kinds
  })
  expect(calls).toBeGreaterThan(20)
  expect(made).toBeGreaterThan(2)
})
