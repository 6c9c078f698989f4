import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportCommand } from '../../../../src/cli/commands/export'
import { pageMedia } from '../../../../src/main/compose/page-media'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import type { Home } from '../../../../src/main/home/home'
import { rowsForWindow } from '../../../../src/main/ipc/limits/rows-for-window'
import { safeImage } from '../../../../src/main/library/images/entry-images'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { openStore } from '../../../../src/main/store/open-store'
import {
  ConversationKey,
  libraryKeyOf,
} from '../../../../src/shared/model/conversation/conversation'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { entryImages } from '../../../../src/shared/model/conversation/images'
import type { SourceId } from '../../../../src/shared/model/conversation/sources'
import { fixtures, run } from '../../../cli/run'
import { onePoint } from '../../../support/images'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const base64 = Buffer.from(onePoint).toString('base64')
const url = `data:image/png;base64,${base64}`
const session = 'ae619569-e1d3-4f67-a3d7-4b650c6c087a'
const time = '2026-09-10T09:00:00.000Z'

/** Entries of the newest page as the window gets them, and what main serves of their images. */
async function shown(root: string, source: SourceId) {
  const histories = openHistories(disk, [{ source, path: root }])
  const [history] = await histories.list(new AbortController().signal)
  if (history === undefined) throw new Error(`no conversation of ${source}`)
  const store = openStore({ home: path.join(root, 'home'), disk })
  const transcripts = openTranscripts({ disk, store, histories })
  const key = libraryKeyOf(source, ConversationKey.parse(history.ref.key))
  const { rows } = await transcripts.page(key, 'end', 50)
  const entries = rowsForWindow(rows).flatMap((row) => (row.type === 'entry' ? [row.entry] : []))
  const home = { transcripts, histories, path: path.join(root, 'home') } as Partial<Home> as Home
  const media = pageMedia(disk, () => home)
  const serve = ({ file, offset, id }: Entry, at: number) =>
    media.image(key, JSON.stringify([file, offset, id, at]))
  return { entries, serve, media, key }
}

const claude = (content: unknown) => ({
  uuid: session,
  parentUuid: null,
  sessionId: session,
  timestamp: time,
  type: 'user',
  message: { role: 'user', content },
})
const codexMeta = { id: session, timestamp: time, cwd: '/a', originator: 'codex_cli_rs' }
const block = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } }
const disk = historyDisk(unpackingDisk(nodeDisk))
const bean = '74f5243a-f60f-46e2-a115-812a2254e34c'
const jsonl = (...records: readonly object[]) =>
  records.map((one) => `${JSON.stringify(one)}\n`).join('')

/** One image in a message or result, as each system writes it. */
interface Written {
  readonly source: SourceId
  readonly what: string
  readonly file: string
  readonly text: string
  readonly more?: Readonly<Record<string, string>>
}

const written: readonly Written[] = [
  {
    source: 'claude-code',
    what: 'message',
    file: `projects/-a/${session}.jsonl`,
    text: jsonl(claude([{ type: 'text', text: 'see' }, block])),
  },
  {
    source: 'claude-code',
    what: 'result',
    file: `projects/-a/${session}.jsonl`,
    text: jsonl(claude([{ type: 'tool_result', tool_use_id: 't', content: [block] }])),
  },
  {
    source: 'codex',
    what: 'message',
    file: `sessions/2026/09/10/rollout-2026-09-10T09-00-00-${session}.jsonl`,
    text: jsonl(
      { timestamp: time, type: 'session_meta', payload: codexMeta },
      {
        timestamp: time,
        type: 'response_item',
        payload: {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'see' },
            { type: 'input_image', image_url: url },
          ],
        },
      },
    ),
  },
  {
    source: 'gemini',
    what: 'message',
    file: 'tmp/abc/chats/session-2026-09-10T09-00-ae619569.jsonl',
    text: jsonl(
      { sessionId: session, projectHash: 'abc', startTime: time, lastUpdated: time },
      {
        id: 'm1',
        timestamp: time,
        type: 'user',
        content: [{ text: 'see' }, { inlineData: { mimeType: 'image/png', data: base64 } }],
      },
    ),
  },
  {
    source: 'pi',
    what: 'message',
    file: `sessions/--a--/2026-09-10T09-00-00-000Z_${session}.jsonl`,
    text: jsonl(
      { type: 'session', version: 3, id: session, timestamp: time, cwd: '/a' },
      {
        type: 'message',
        id: 'aaaaaaaa',
        parentId: null,
        timestamp: time,
        message: {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', data: base64, mimeType: 'image/png' },
          ],
        },
      },
    ),
  },
  {
    source: 'cline',
    what: 'message',
    file: 'tasks/1789030800500/api_conversation_history.json',
    text: JSON.stringify([
      { role: 'user', content: [{ type: 'text', text: '<task>see</task>' }, block] },
    ]),
  },
  {
    source: 'cycod',
    what: 'message',
    file: 'history/chat-history-1754437000000.jsonl',
    text: jsonl({
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image_url', image_url: { url } },
      ],
    }),
  },
  {
    source: 'opencode',
    what: 'message',
    file: 'storage/session/p/ses_1.json',
    text: JSON.stringify({
      id: 'ses_1',
      title: 'T',
      directory: '/a',
      time: { created: 1, updated: 2 },
    }),
    more: {
      'storage/message/ses_1/msg_1.json': JSON.stringify({
        id: 'msg_1',
        sessionID: 'ses_1',
        role: 'user',
        time: { created: 1 },
      }),
      'storage/part/msg_1/prt_1.json': JSON.stringify({
        id: 'prt_1',
        messageID: 'msg_1',
        sessionID: 'ses_1',
        type: 'file',
        mime: 'image/png',
        filename: 'a.png',
        url,
      }),
    },
  },
]

describe.each(written)('an image of $source, in a $what', ({ source, file, text, more = {} }) => {
  it('is shown once in the window, without its bytes on the page, and is in documents', async () => {
    const root = temp()
    for (const [name, content] of Object.entries({ ...more, [file]: text })) {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
      fs.writeFileSync(path.join(root, name), content)
    }
    const { entries, serve } = await shown(root, source)
    const all = entries.flatMap((entry) =>
      entryImages(entry.metadata).map(({ at }) => ({ entry, at })),
    )
    expect(all).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toContain(base64.slice(0, 40))
    for (const { entry, at } of all) {
      const served = await serve(entry, at)
      expect(served?.mime).toBe('image/png')
      expect(Buffer.from(served?.bytes ?? []).equals(onePoint)).toBe(true)
    }
    const key = (await shown(root, source)).key.split(':').slice(1).join(':')
    for (const format of ['md', 'html']) {
      const args = [key, '--format', format, '--root', `${source}=${root}`]
      const { out } = await run(exportCommand, args, { disk })
      expect(out.split(base64), format).toHaveLength(2)
    }
  })
})

describe('an image of an export of ChatGPT', () => {
  const source = 'chatgpt'
  const dat = path.join(fixtures, 'chatgpt-assets')

  it('is found by its pointer among files named .dat, by its bytes, and named with its file', async () => {
    const { entries, serve } = await shown(dat, source)
    const found = entries.find((entry) => entryImages(entry.metadata).length > 0)
    expect(entryImages(found?.metadata)).toEqual([{ at: 0, name: 'bean-photo.png' }])
    const image = found === undefined ? undefined : await serve(found, 0)
    expect(image?.mime).toBe('image/png')
    const args = ['--format', 'json', '--root', `${source}=${dat}`]
    const { out } = await run(exportCommand, [bean, ...args], { disk })
    expect(out).toContain('"file-Bean7.dat"')
    expect(out).toContain('"file_00000000aa1162.dat"')
  })

  it('is said to be missing where the export has no such file, or only a link to one elsewhere', async () => {
    const root = temp()
    fs.cpSync(dat, root, { recursive: true })
    const file = path.join(root, 'file-Bean7.dat')
    const elsewhere = path.join(temp(), 'a.png')
    fs.renameSync(file, elsewhere)
    for (const isLink of [false, true]) {
      if (isLink) fs.symlinkSync(elsewhere, file)
      const { entries, serve } = await shown(root, source)
      const found = entries.find((entry) => entryImages(entry.metadata).length > 0)
      expect(found && (await serve(found, 0))).toBeUndefined()
      const args = ['--format', 'md', '--root', `${source}=${root}`]
      const { out } = await run(exportCommand, [bean, ...args], { disk })
      expect(out).toContain('bean-photo.png is not in the export')
    }
  })
})

it('serves no image that could run something, is none, or would fill the memory', async () => {
  expect(safeImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'))).toBe(
    undefined,
  )
  expect(safeImage(Buffer.from('GIF89a'))).toBeUndefined()
  const bomb = Buffer.from(onePoint)
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  expect(safeImage(bomb)).toBeUndefined()
  expect(safeImage(onePoint)?.type.mime).toBe('image/png')
  const root = temp()
  const svg = `data:image/png;base64,${Buffer.from('<svg onload="x()"/>').toString('base64')}`
  fs.mkdirSync(path.join(root, 'history'))
  fs.writeFileSync(
    path.join(root, 'history/chat-history-1754437000000.jsonl'),
    jsonl({ role: 'user', content: [{ type: 'image_url', image_url: { url: svg } }] }),
  )
  const { entries, serve, media, key } = await shown(root, 'cycod')
  expect(entries[0] && (await serve(entries[0], 0))).toBeUndefined()
  for (const name of ['[', '[1]', '["../../x",0,"a",0]', 'attachments/x.png'])
    await expect(media.image(key, name).catch(() => undefined)).resolves.toBeUndefined()
})
