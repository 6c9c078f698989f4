import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openHomeSearch } from '../../../../src/main/home/search'
import { searchDecoders } from '../../../../src/main/library/sources/search-decoders'
import { inlineWorkers } from '../../../../src/main/search/workers'
import { openStore } from '../../../../src/main/store/open-store'
import { readTitles } from '../../../../src/main/store/registry/titles'
import {
  ConversationSummary,
  LibraryKey,
} from '../../../../src/shared/model/conversation/conversation'
import { bundled } from '../../../support/bundled'
import { message } from '../../../support/entries'
import { openTestHome, placesIn, testSettings } from '../../../support/home'
import { chunk, eventStream, rawServer } from '../../../support/raw-server'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const familiesWorker = bundled('src/main/library/families/families.worker.ts')
const countWorker = bundled('src/main/library/count/count.worker.ts')
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const garden = LibraryKey.parse('garden')
const foreign = LibraryKey.parse('cycod:chat-history-1')

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly model: string
}

/** Whether a request is one for a title, and not for an answer. */
const isForTitle = ({ messages }: Asked) => /\btitle\b/i.test(messages[0]?.content ?? '')

/** A home with one context, and another system's conversation; the model answers as the test says. */
async function home(
  options: {
    /** What the model says to a question for a title; may wait, and may do something meanwhile. */
    readonly title?: (request: Asked) => string | Promise<string>
    readonly status?: number
    readonly isAllowed?: boolean
    readonly model?: string
    readonly said?: string
  } = {},
) {
  const root = folder('home')
  const chibi = path.join(root, 'chibi')
  const history = path.join(root, 'cycod', 'history')
  fs.mkdirSync(history, { recursive: true })
  const foreignFile = path.join(history, 'chat-history-1.jsonl')
  fs.writeFileSync(
    foreignFile,
    '{"role":"user","content":"how do I prune?"}\n{"role":"assistant","content":"In winter."}\n',
  )
  const requests: Asked[] = []
  const server = await rawServer((response, { body }) => {
    const request: Asked = JSON.parse(body)
    requests.push(request)
    if (options.status !== undefined && isForTitle(request)) {
      response.writeHead(options.status, { 'content-type': 'application/json' })
      return response.end('{"error":{"message":"no"}}')
    }
    const says = isForTitle(request)
      ? Promise.resolve(options.title?.(request) ?? '"Planting tulips."')
      : Promise.resolve('Fifteen centimetres.')
    void says.then((content) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(eventStream(chunk({ content }, 'stop'), '[DONE]'))
    })
  })
  const rows = new Map<string, ConversationSummary>()
  const phases: string[] = []
  const notes: string[] = []
  const open = async () =>
    openTestHome(root, {
      roots: [{ source: 'cycod', path: path.join(root, 'cycod') }],
      settings: await testSettings(placesIn(root), server.url),
      titlesBy: async () => ({ isAllowed: options.isAllowed ?? false, model: options.model }),
      events: {
        conversationsChanged({ conversations }) {
          for (const row of conversations) rows.set(row.key, ConversationSummary.parse(row))
        },
        runChanged: ({ phase }) => void phases.push(phase),
      },
      workers: { families: familiesWorker(), count: countWorker() },
      note: (words) => void notes.push(words),
    })
  const session = await open()
  closers.push(() => session.close(), server.close)
  const store = openStore({ home: chibi, disk: nodeDisk })
  const writer = await store.openWriter('garden', { create: true })
  await writer.append(message(options.said ?? 'How deep do tulips go?'))
  await writer.append(message('Fifteen.', { from: 'garden', to: 'user', role: 'agent' }))
  await writer.close()
  const titleOf = async (key: LibraryKey) => (await session.library.find(key))?.title
  return {
    root,
    chibi,
    foreignFile,
    session,
    store,
    open,
    requests,
    rows,
    notes,
    phases,
    titleOf,
    titles: session.titles,
    kept: () => readTitles(nodeDisk, path.join(chibi, 'titles.skein.json')),
    async says(context: string, create = true) {
      const before = phases.length
      await session.runs.start({ context: LibraryKey.parse(context), text: 'How deep?', create })
      await expect.poll(() => phases.slice(before)).toContain('complete')
    },
  }
}

describe('a title that a model is asked for', () => {
  it('is shown in place of the name, which stays what it is, and says who gave it', async () => {
    const { session, titles, titleOf, chibi, rows, requests } = await home()
    expect(await titleOf(garden)).toBe('garden')
    expect(await titles.ask(garden)).toEqual({
      outcome: 'titled',
      title: 'Planting tulips',
    })
    const row = await session.library.find(garden)
    expect(row).toMatchObject({ title: 'Planting tulips', titled: { by: 'model', model: 'm' } })
    expect(rows.get(garden)?.title).toBe('Planting tulips')
    expect(fs.readdirSync(path.join(chibi, 'contexts'))).toEqual(['garden'])
    expect(requests).toHaveLength(1)
    expect(requests[0]?.messages[1]?.content).toContain(
      '[USER]: How deep do tulips go?\n\n[ASSISTANT]: Fifteen.',
    )
  })

  it('is asked of the model that was chosen for titles, with the words of the home', async () => {
    const { titles, chibi, requests } = await home({ model: 'small/one' })
    fs.mkdirSync(path.join(chibi, 'prompts'))
    fs.writeFileSync(path.join(chibi, 'prompts', 'title.md'), 'A title in pirate speech, please.')
    await titles.ask(garden)
    expect(requests[0]).toMatchObject({ model: 'small/one' })
    expect(requests[0]?.messages[0]?.content).toBe('A title in pirate speech, please.')
  })

  it("leaves another system's files alone, and says before what goes where", async () => {
    const { titles, titleOf, foreignFile, root, chibi, requests } = await home()
    const before = fs.readFileSync(foreignFile)
    const preview = await titles.preview(foreign)
    expect(preview).toMatchObject({ model: 'm', isBranch: false })
    expect(preview.host).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(requests).toEqual([])
    await titles.ask(foreign)
    expect(requests[0]?.messages[1]?.content).toHaveLength(preview.characters)
    expect(await titleOf(foreign)).toBe('Planting tulips')
    expect(fs.readFileSync(foreignFile)).toEqual(before)
    expect(fs.readdirSync(path.dirname(foreignFile))).toEqual(['chat-history-1.jsonl'])
    expect(fs.existsSync(path.join(root, 'user', 'titles.json'))).toBe(true)
    expect(fs.existsSync(path.join(chibi, 'titles.skein.json'))).toBe(false)
  })

  it('never stands over one that a person wrote', async () => {
    const { titles, titleOf, requests } = await home()
    await titles.set(garden, ' Mine,\n and mine alone ')
    await expect(titles.ask(garden)).rejects.toMatchObject({ code: 'exists' })
    expect(requests).toEqual([])
    expect(await titleOf(garden)).toBe('Mine, and mine alone')
  })

  it('gives way to one that a person writes while the model is asked', async () => {
    const { titles, titleOf } = await home({
      async title() {
        await titles.set(garden, 'Mine')
        return 'Planting tulips'
      },
    })
    expect(await titles.ask(garden)).toEqual({ outcome: 'kept' })
    expect(await titleOf(garden)).toBe('Mine')
  })

  it('does not come back when a person takes the title away while the model is asked', async () => {
    let isFirst = true
    const { titles, titleOf } = await home({
      async title() {
        if (!isFirst) await titles.set(garden, null)
        isFirst = false
        return 'Planting tulips'
      },
    })
    await titles.ask(garden)
    expect(await titleOf(garden)).toBe('Planting tulips')
    expect(await titles.ask(garden)).toEqual({ outcome: 'kept' })
    expect(await titleOf(garden)).toBe('garden')
    expect(await titles.ask(garden)).toEqual({ outcome: 'kept' })
  })

  it('is none where the model fails, and the old one stays', async () => {
    const { titles, titleOf } = await home({ title: () => '...' })
    await titles.set(foreign, 'Mine')
    expect(await titles.ask(garden)).toMatchObject({ outcome: 'failed' })
    expect(await titleOf(garden)).toBe('garden')
  })

  it('is stopped by who asked for it', async () => {
    const { titles, titleOf, requests } = await home({ title: () => new Promise(() => {}) })
    const asking = titles.ask(garden)
    await expect.poll(() => requests.length).toBe(1)
    await expect(titles.ask(garden)).rejects.toMatchObject({ code: 'busy' })
    await titles.cancel(garden)
    expect(await asking).toEqual({ outcome: 'stopped' })
    expect(await titleOf(garden)).toBe('garden')
  })

  it('neither sends nor keeps what looks like a key', async () => {
    const key = `sk-proj-${'a1B2'.repeat(10)}`
    const { titles, titleOf, requests } = await home({
      said: `my key is ${key}, is it leaked?`,
      title: () => `Leak of ${key}`,
    })
    await titles.ask(garden)
    expect(JSON.stringify(requests)).not.toContain('a1B2')
    expect(await titleOf(garden)).toBe('Leak of [key]')
  })

  it('costs little however long the messages are', async () => {
    const { titles, requests } = await home({ said: '🌷x'.repeat(500_000) })
    await titles.ask(garden)
    expect(requests[0]?.messages[1]?.content.length).toBeLessThan(8000)
  })
})

describe("another system's branch", () => {
  it('is titled by what it says after the fork', async () => {
    const { session, titles, foreignFile, requests } = await home()
    const branch = LibraryKey.parse('cycod:chat-history-2')
    fs.writeFileSync(
      path.join(path.dirname(foreignFile), 'chat-history-2.jsonl'),
      `${fs.readFileSync(foreignFile, 'utf8')}{"role":"user","content":"and roses?"}\n{"role":"assistant","content":"Roses in spring."}\n`,
    )
    // The families are read before anybody asks: the window shows the branches.
    await session.families.family(branch)
    await session.families.settled()
    expect(await titles.ask(branch)).toMatchObject({ outcome: 'titled' })
    const asked = requests[0]?.messages[1]?.content ?? ''
    expect(asked).toContain('[USER]: and roses?')
    expect(asked).not.toContain('how do I prune?')
  })
})

describe('a title that was given', () => {
  it('is found by search as the name is, and one before it is not any more', async () => {
    const { session, root, titles } = await home()
    const search = openHomeSearch({
      disk: nodeDisk,
      library: session.library,
      cacheFolder: path.join(root, 'cache', 'search'),
      workers: inlineWorkers(nodeDisk, searchDecoders),
      tellIndex: () => {},
      note: () => {},
    })
    closers.unshift(() => search.close())
    const titlesFound = async (query: string) =>
      (await search.query(query, {})).hits.filter((hit) => hit.field === 'title').map((h) => h.key)
    expect(await titlesFound('garden')).toEqual(['garden'])
    const give = async (title: string) => {
      await titles.set(garden, title)
      const row = await session.library.find(garden)
      // As the home tells it: what the library says has changed.
      search.changed({ conversations: row === undefined ? [] : [row], gone: [] })
    }
    await give('Tulpen')
    expect(await titlesFound('tulpen')).toEqual(['garden'])
    await give('Zwiebeln im Herbst')
    expect(await titlesFound('zwiebeln')).toEqual(['garden'])
    expect(await titlesFound('title:herbst zwiebeln')).toEqual(['garden'])
    expect(await titlesFound('garden')).toEqual(['garden'])
    expect(await titlesFound('tulpen')).toEqual([])
  })

  it('stands on the first page of the next start, which comes from the cache', async () => {
    const { session, open, titles } = await home()
    await session.library.list(undefined, 10)
    await titles.set(garden, 'Mine')
    await titles.set(foreign, 'Theirs')
    await session.close()
    const again = await open()
    closers.unshift(() => again.close())
    const { conversations } = await again.library.list(undefined, 10)
    expect(conversations.map(({ title }) => title).sort()).toEqual(['Mine', 'Theirs'])
  })

  it('is taken away by a person, and the name stands again', async () => {
    const { titles, titleOf, session } = await home()
    await titles.set(garden, 'Mine')
    await titles.set(garden, null)
    expect(await titleOf(garden)).toBe('garden')
    expect((await session.library.find(garden))?.titled).toBeUndefined()
    await expect(titles.set(garden, ' \u200b\n')).rejects.toMatchObject({
      code: 'bad-argument',
    })
    await expect(titles.set(LibraryKey.parse('nowhere'), 'Mine')).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('is given to nobody where its context got another name while the model was asked', async () => {
    const chat = LibraryKey.parse('chat-2026-11-28')
    const { titles, says, titleOf, kept, store } = await home({
      async title() {
        await store.contexts.rename(chat, 'tulips')
        return 'Planting tulips'
      },
    })
    await says(chat)
    expect(await titles.ask(chat)).toMatchObject({ outcome: 'kept' })
    expect((await kept()).size).toBe(0)
    await says(chat)
    expect(await titleOf(chat)).toBe('How deep?')
    expect(await titleOf(LibraryKey.parse('tulips'))).toBe('tulips')
  })

  it('is not that of another context which has the name now', async () => {
    const { titles, titleOf, chibi, session } = await home()
    await titles.set(garden, 'Mine')
    const file = path.join(chibi, 'state.json')
    const state = JSON.parse(fs.readFileSync(file, 'utf8'))
    for (const context of state.contexts) context.created_at += 1000
    fs.writeFileSync(file, JSON.stringify(state))
    expect(await titleOf(garden)).toBe('garden')
    await session.library.refresh(garden)
  })

  it('is there when the file was damaged and a new one is given', async () => {
    const { titles, titleOf, chibi } = await home()
    await titles.set(garden, 'Mine')
    fs.writeFileSync(path.join(chibi, 'titles.skein.json'), '{"titles":[{"ke')
    expect(await titleOf(garden)).toBe('garden')
    await titles.set(garden, 'Mine again')
    expect(await titleOf(garden)).toBe('Mine again')
    expect(fs.existsSync(path.join(chibi, 'titles.skein.json.damaged-1'))).toBe(true)
  })
})

describe('titles by the model itself', () => {
  const chat = LibraryKey.parse('chat-2026-11-28')

  it('are asked for once, after the first whole answer, where a person allowed it', async () => {
    const { says, titleOf, requests } = await home({ isAllowed: true })
    await says(chat)
    await expect.poll(() => titleOf(chat)).toBe('Planting tulips')
    await says(chat, false)
    expect(requests.filter(isForTitle)).toHaveLength(1)
  })

  it('are asked for again where another conversation has the name later', async () => {
    const { says, titleOf, requests, store } = await home({ isAllowed: true })
    await says(chat)
    await expect.poll(() => titleOf(chat)).toBe('Planting tulips')
    await store.contexts.rename(chat, 'tulips')
    await says(chat)
    await expect.poll(() => titleOf(chat)).toBe('Planting tulips')
    expect(requests.filter(isForTitle)).toHaveLength(2)
  })

  it('are asked for by nobody else', async () => {
    const { says, requests, session, titleOf } = await home()
    await says(chat)
    await session.close()
    expect(requests.filter(isForTitle)).toEqual([])
    expect(await titleOf(chat)).toBe('How deep?')
  })

  it('leave a conversation alone that a person named, or whose title a person took away', async () => {
    const { says, titles, requests, session, store } = await home({ isAllowed: true })
    await says('my-own-name')
    const writer = await store.openWriter(chat, { create: true })
    await writer.close()
    await titles.set(chat, null)
    await says(chat, false)
    await session.close()
    expect(requests.filter(isForTitle)).toEqual([])
  })

  it('are tried once where the model fails, also after another start', async () => {
    const { says, notes, requests, session, open, kept, phases } = await home({
      isAllowed: true,
      status: 401,
    })
    await says(chat)
    await expect.poll(() => notes.filter((words) => words.includes('no title'))).toHaveLength(1)
    expect((await kept()).get(chat)).toMatchObject({ title: null, by: 'model' })
    await says(chat, false)
    await session.close()
    const again = await open()
    closers.unshift(() => again.close())
    const before = phases.length
    await again.runs.start({ context: chat, text: 'And crocuses?', create: false })
    await expect.poll(() => phases.slice(before)).toContain('complete')
    await again.close()
    expect(requests.filter(isForTitle)).toHaveLength(1)
  })

  it('give a branch its own, from what it says after the fork', async () => {
    const { session, titles, titleOf, requests, phases } = await home({ isAllowed: true })
    const page = await session.transcripts.page(garden, 'end', 10)
    const last = page.rows.at(-1)
    if (last?.type !== 'entry') throw new Error('no entry')
    const { id: entry, file, offset } = last.entry
    const { key } = await session.branching.create(
      garden,
      { entry, file, offset },
      { type: 'branch' },
    )
    expect(key).toBe('garden-2')
    const before = phases.length
    await session.runs.start({ context: key, text: 'And what of crocuses?', create: false })
    await expect.poll(() => phases.slice(before)).toContain('complete')
    await expect.poll(() => titleOf(key)).toBe('Planting tulips')
    const asked = requests.find(isForTitle)?.messages[1]?.content ?? ''
    expect(asked).toContain('And what of crocuses?')
    expect(asked).not.toContain('How deep do tulips go?')
    expect(await titleOf(garden)).toBe('garden')
    // The tree shows both: the root under its name, the branch under its title.
    const tree = async () =>
      (await session.families.family(key)).view?.family.nodes.map(({ title }) => title)
    await expect.poll(tree).toContain('Planting tulips')
    expect((await tree())?.[0]).toBe('garden')
    await titles.set(key, 'Crocuses')
    await expect.poll(tree).toContain('Crocuses')
    expect(await tree()).not.toContain('Planting tulips')
  })
})
