import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { LibraryRoot } from '../../../../src/main/library/sources/roots'
import { summarizeBranch } from '../../../../src/main/llm/compaction'
import { systemClock } from '../../../../src/main/llm/timing/clock'
import { openStore } from '../../../../src/main/store/open-store'
import { branchSummaryOf } from '../../../../src/shared/model/conversation/branch-summary'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { type Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import type { BranchAction } from '../../../../src/shared/model/family/branching'
import { bundled } from '../../../support/bundled'
import { checkHome } from '../../../support/chibi-checker/home'
import { message } from '../../../support/entries'
import { openTestHome, placesIn, testSettings } from '../../../support/home'
import { chunk, eventStream, rawServer } from '../../../support/raw-server'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const workers = {
  families: bundled('src/main/library/families/families.worker.ts'),
  count: bundled('src/main/library/count/count.worker.ts'),
}
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const garden = LibraryKey.parse('garden')
const summaryText = 'Bulbs in sand rotted. Gravel below them worked.'

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}
/** True where a request is for a summary, and not for an answer. */
const isForSummary = ({ messages }: Asked) => /summarize/i.test(messages[0]?.content ?? '')

interface Server {
  /** What the model answers to the question for a summary: a text, a status, or nothing for ever. */
  readonly summary: string | number | 'silence'
  /** Why its answer ends. */
  readonly finish?: string
  readonly isLogged?: boolean
  readonly roots?: readonly LibraryRoot[]
}

const orchard = LibraryKey.parse('pi:07abe132-a1a8-4fbe-a61f-fcebb1c21c68')

async function home({ summary, finish = 'stop', isLogged = false, roots = [] }: Server) {
  const root = folder('home')
  const places = placesIn(root)
  const store = openStore({ home: places.home, disk: nodeDisk })
  const writer = await store.openWriter('garden', { create: true })
  const said = (text: string) => writer.append(message(text, { from: 'user', to: 'garden' }))
  const answered = (text: string) =>
    writer.append(message(text, { from: 'garden', to: 'user', role: 'agent' }))
  await said('How deep do tulips go?')
  await answered('Fifteen centimetres.')
  await said('Into sand?')
  await answered('Try it.')
  await said('They rotted.')
  await answered('Then gravel.')
  await writer.close()
  const requests: Asked[] = []
  let sawSummary: () => void = () => undefined
  const summaryAsked = new Promise<void>((resolve) => {
    sawSummary = resolve
  })
  const server = await rawServer((response, { body }) => {
    const request: Asked = JSON.parse(body)
    requests.push(request)
    const isOf = isForSummary(request)
    if (isOf) sawSummary()
    if (isOf && summary === 'silence') return
    if (isOf && typeof summary === 'number') {
      response.writeHead(summary, { 'content-type': 'application/json' })
      return response.end('{"error":{"message":"no credit is left"}}')
    }
    const content = isOf ? String(summary) : 'Clay then.'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(eventStream(chunk({ content }, isOf ? finish : 'stop'), '[DONE]'))
  })
  closers.push(() => server.close())
  const phases: string[] = []
  const settings = await testSettings(places, server.url)
  const session = await openTestHome(root, {
    roots,
    settings,
    logsRequests: async () => isLogged,
    events: { runChanged: ({ phase }) => void phases.push(phase) },
    workers: { families: workers.families(), count: workers.count() },
  })
  closers.push(() => session.close())
  const entriesOf = async (name: string) => {
    const entries: Entry[] = []
    for await (const row of requireWhole((await store.readWhole(name)).rows))
      if (row.type === 'entry') entries.push(row.entry)
    return entries
  }
  return {
    ...{ root: places.home, settings, session, requests, phases, entriesOf, summaryAsked },
    async branch(text: string, action: BranchAction, words?: string) {
      const entry = (await entriesOf('garden')).find(({ content }) => content === text)
      if (entry === undefined) throw new Error(`no entry ${text}`)
      const { id, file, offset } = entry
      const at = { entry: id, file, offset }
      return session.branching.create(garden, at, action, words === undefined ? {} : { words })
    },
  }
}

const textsOf = (entries: readonly Entry[]) => entries.map(({ content }) => content)

describe('a branch with a summary of what it leaves', () => {
  it('begins with it after its copies: a message to the model that nobody wrote, and that chibi takes', async () => {
    const { root, branch, entriesOf, requests } = await home({ summary: summaryText })
    const before = await entriesOf('garden')
    const made = await branch('Fifteen centimetres.', { type: 'branch' })
    expect(made).toEqual({ key: 'garden-2', summary: { type: 'written' } })
    const entries = await entriesOf('garden-2')
    expect(textsOf(entries.slice(1, 3))).toEqual(['How deep do tulips go?', 'Fifteen centimetres.'])
    const [last, ...more] = entries.slice(3)
    expect(more).toEqual([])
    expect(last).toMatchObject({
      entry_type: 'message',
      role: 'user',
      from: 'garden',
      to: 'garden-2',
      metadata: { injected: true, model: 'm' },
    })
    expect(last?.content).toContain(summaryText)
    expect(last && branchSummaryOf(last)).toEqual({
      key: 'garden',
      messages: 4,
      summary: summaryText,
    })
    const [asked] = requests
    expect(requests.length).toBe(1)
    expect(asked?.messages[1]?.content).toContain('They rotted.')
    expect(asked?.messages[1]?.content).not.toContain('Fifteen centimetres.')
    expect(await entriesOf('garden')).toEqual(before)
    expect(checkHome(root, { formerNames: ['garden'] })).toEqual([])
  })

  it('has it before an edited message, and the model is sent both', async () => {
    const { branch, entriesOf, requests, phases } = await home({ summary: summaryText })
    const words = 'Which ground was tried?'
    const made = await branch('Into sand?', { type: 'edit', text: 'Into clay?' }, words)
    expect([made.key, made.summary]).toEqual(['garden-2', { type: 'written' }])
    await expect.poll(() => phases).toContain('complete')
    const [forSummary, forAnswer] = requests
    expect(forSummary?.messages[0]?.content).toContain(words)
    // The message that is replaced is left behind, too.
    expect(forSummary?.messages[1]?.content).toContain('Into sand?')
    const sent = forAnswer?.messages.at(-1)
    expect([sent?.role, sent?.content.includes(summaryText)]).toEqual(['user', true])
    expect(sent?.content.endsWith('Into clay?')).toBe(true)
    expect(textsOf(await entriesOf('garden-2')).slice(-2)).toEqual(['Into clay?', 'Clay then.'])
  })

  it.each([
    ['caf57a3e', 'late March', 'with which knife?'],
    ['d3121395', 'the curved one', 'late March'],
  ])(
    'of another system begins with it too, by the model of the home: of the way through %s',
    async (id, left, other) => {
      const root = folder('pi')
      fs.cpSync('test/fixtures/readers/pi/input', root, { recursive: true })
      const roots = [{ source: 'pi', path: root }] as const
      const { session, requests, entriesOf } = await home({ summary: summaryText, roots })
      const entry = EntryId.parse(id)
      const place = await session.transcripts.locate(orchard, entry)
      const at = { entry, file: place?.file ?? '', offset: place?.offset ?? 0 }
      const { key, summary } = await session.branching.create(orchard, at, { type: 'branch' }, {})
      expect(summary).toEqual({ type: 'written' })
      const [last] = (await entriesOf(key)).slice(-1)
      expect(last).toMatchObject({
        role: 'user',
        from: 'pi',
        to: key,
        metadata: { injected: true },
      })
      expect(last && branchSummaryOf(last)).toMatchObject({ key: orchard, summary: summaryText })
      const [asked] = requests
      expect(asked?.messages[1]?.content).toContain(left)
      expect(asked?.messages[1]?.content).not.toContain(other)
    },
  )

  it('is made without one where the server refuses, and says why', async () => {
    const { branch, entriesOf } = await home({ summary: 402 })
    const made = await branch('Fifteen centimetres.', { type: 'branch' })
    expect(made).toMatchObject({ key: 'garden-2', summary: { type: 'failed' } })
    expect(made.summary?.type === 'failed' && made.summary.words).toContain('no credit is left')
    expect(textsOf(await entriesOf('garden-2')).slice(1)).toEqual([
      'How deep do tulips go?',
      'Fifteen centimetres.',
    ])
  })

  it('is made without one where a person stops it', async () => {
    const { session, branch, entriesOf, summaryAsked } = await home({ summary: 'silence' })
    const making = branch('Fifteen centimetres.', { type: 'branch' })
    await summaryAsked
    session.branching.stopSummary(garden)
    expect(await making).toEqual({ key: 'garden-2', summary: { type: 'stopped' } })
    expect((await entriesOf('garden-2')).length).toBe(3)
  })

  it('is stopped, and not called empty, while what is left is being read', async () => {
    const { root, settings, entriesOf } = await home({ summary: summaryText })
    const [left] = (await entriesOf('garden')).slice(-1)
    const stop = new AbortController()
    async function* entries() {
      stop.abort()
      if (left !== undefined) yield left
    }
    const deps = {
      disk: nodeDisk,
      store: { home: root },
      endpoint: (context?: string) => settings.endpoint(context),
      runSettings: (context?: string) => settings.runSettings(context),
      provider: () => {
        throw new Error('a model is asked')
      },
      clock: systemClock,
      note: () => undefined,
    }
    const asked = summarizeBranch({ context: 'garden', entries: entries() }, deps, stop.signal)
    expect(await asked).toEqual({ type: 'stopped' })
  })

  it('is there, without one and with the edited message, once the home is closed meanwhile', async () => {
    const { root, session, branch, entriesOf, summaryAsked } = await home({ summary: 'silence' })
    const making = branch('Into sand?', { type: 'edit', text: 'Into clay?' }, 'Which ground?')
    await summaryAsked
    await session.close()
    expect(textsOf(await entriesOf('garden-2'))).toContain('Into clay?')
    expect(fs.existsSync(path.join(root, 'contexts/garden-2/.lock'))).toBe(false)
    expect(await making).toMatchObject({ key: 'garden-2', summary: { type: 'stopped' } })
  })

  it('ends with a sign that it goes on where the provider cut it at its limit', async () => {
    const { branch, entriesOf } = await home({ summary: summaryText, finish: 'length' })
    await branch('Fifteen centimetres.', { type: 'branch' })
    const [last] = (await entriesOf('garden-2')).slice(-1)
    expect(last && branchSummaryOf(last)?.summary).toBe(`${summaryText}…`)
  })

  it('has its request in the log of the context that is left, where requests are logged', async () => {
    const { root, branch, requests } = await home({ summary: summaryText, isLogged: true })
    await branch('Fifteen centimetres.', { type: 'branch' })
    const log = path.join(root, 'contexts/garden/requests.jsonl')
    const lines = fs.readFileSync(log, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).request.messages)).toEqual([requests[0]?.messages])
    expect(checkHome(root, { formerNames: ['garden'] })).toEqual([])
  })

  it('asks no model where nothing comes after its place', async () => {
    const { branch, requests } = await home({ summary: summaryText })
    const made = await branch('Then gravel.', { type: 'branch' })
    expect([made.summary, requests]).toEqual([{ type: 'nothing' }, []])
  })

  it('is a branch of its family, and its summary is no message of a person', async () => {
    const { session, branch } = await home({ summary: summaryText })
    await branch('Fifteen centimetres.', { type: 'branch' })
    const nodes = async () => (await session.families.family(garden)).view?.family.nodes ?? []
    await expect.poll(async () => (await nodes()).length).toBe(3)
    const own = (await nodes()).find(({ key }) => key === 'garden-2')
    expect(own?.entries).toBe(1)
    expect(own?.title).toContain('Summary of another branch')
  })
})
