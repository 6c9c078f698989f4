import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { isTemporaryName } from '../../../../src/main/disk/writing/atomic'
import {
  formatInbox,
  type InboxPaths,
  inboxPaths,
  messageKey,
  readWaitingMessages,
  removeDeliveredMessages,
} from '../../../../src/main/store/inbox/inbox-delivery'
import { inboxSender } from '../../../../src/main/tools/messages'
import { faultyDisk } from '../../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const line = (id: string, more: object = {}) =>
  JSON.stringify({ id, timestamp: 1, from: 'zoo', to: 'garden', content: `words ${id}`, ...more })

let home: string
let paths: InboxPaths
beforeEach(() => {
  home = temp()
  fs.mkdirSync(path.join(home, 'contexts', 'garden'), { recursive: true })
  paths = inboxPaths(home, 'garden')
})
const put = (text: string, file = paths.inbox) => fs.writeFileSync(file, text)
const text = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')
const names = () => fs.readdirSync(path.join(home, 'contexts', 'garden')).sort()
/** The keys of messages as `line` makes them. */
const keys = (...ids: readonly string[]) =>
  new Set(ids.map((id) => messageKey({ ...JSON.parse(line(id)) })))
const waiting = async () =>
  (await readWaitingMessages(nodeDisk, paths)).messages.map(({ id }) => id)

const send = (disk: Disk, content: string, nowMs: number) =>
  inboxSender(
    disk,
    home,
    () => nowMs,
  )({ from: 'zoo', to: 'garden', content }, new AbortController().signal)

/** Every id that stands in any of the files, and how each file's lines read. */
function everywhere(): readonly string[] {
  const all = names()
    .map((name) => text(path.join(paths.folder, name)))
    .join('\n')
  return [...new Set([...all.matchAll(/"id":"(\w+)"/g)].map((match) => match[1] ?? ''))].sort()
}

describe('what waits in an inbox', () => {
  it('is read in order, each id once, damaged lines apart, and nothing is changed', async () => {
    const before = `${line('a')}\n{"torn\n\n${line('b')}\n${line('a')}\n{"id":"x"}\n${line('c')}`
    put(before)
    const { messages, damaged } = await readWaitingMessages(nodeDisk, paths)
    expect(messages.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(damaged.map((bytes) => Buffer.from(bytes).toString())).toEqual(['{"torn', '{"id":"x"}'])
    expect([text(paths.inbox), names()]).toEqual([before, ['inbox.jsonl']])
  })

  it('is nothing where there is no inbox', async () => {
    expect(await readWaitingMessages(nodeDisk, paths)).toEqual({ messages: [], damaged: [] })
    await removeDeliveredMessages(nodeDisk, paths, new Set())
    expect(names()).toEqual([])
  })

  it('stands before a prompt in chibi’s form', async () => {
    put(`${line('a')}\n${line('b', { from: 'kitchen' })}\n`)
    const { messages } = await readWaitingMessages(nodeDisk, paths)
    expect(formatInbox(messages)).toBe(
      '--- INBOX MESSAGES ---\n[From: zoo] words a\n[From: kitchen] words b\n--- END INBOX ---\n\n',
    )
  })
})

describe('emptying an inbox', () => {
  it('takes out what was delivered, keeps what came since, and sets damaged lines aside', async () => {
    put(`${line('a')}\n{"torn\n${line('b')}\n`)
    await send(nodeDisk, 'late', 7000)
    await removeDeliveredMessages(nodeDisk, paths, keys('a', 'b'))
    expect(text(paths.inbox)).toMatch(/^\{"id":"[^"]+","timestamp":7,.*"content":"late"\}\n$/)
    expect(text(paths.damaged)).toBe('{"torn\n')
    // The file that was moved aside stays until nobody writes to it any more.
    const aside = ['inbox.sorted.skein.json', 'inbox.sorting.skein.jsonl']
    expect(names()).toEqual(['inbox.damaged.skein.jsonl', 'inbox.jsonl', ...aside])
  })

  it('finds a message that was written into the file after it was moved aside', async () => {
    put(`${line('a')}\n`)
    const late = fs.openSync(paths.inbox, 'a')
    const disk: Disk = {
      ...nodeDisk,
      async rename(from, to) {
        // Between the move and the look: whoever had the file open writes to it still.
        if (from === paths.inbox) fs.writeSync(late, `${line('late')}\n`)
        await nodeDisk.rename(from, to)
      },
    }
    await removeDeliveredMessages(disk, paths, keys('a'))
    fs.closeSync(late)
    expect(await waiting()).toEqual(['late'])
  })

  it('gets a message that its sender wrote into a file that was moved away meanwhile', async () => {
    put(`${line('a')}\n`)
    let isMoved = false
    const disk: Disk = {
      ...nodeDisk,
      async open(target, mode) {
        const file = await nodeDisk.open(target, mode)
        if (!isMoved && target === paths.inbox) fs.rmSync(target)
        isMoved ||= target === paths.inbox
        return file
      },
    }
    await send(disk, 'again', 1000)
    expect(text(paths.inbox)).toContain('"content":"again"')
  })

  it.each(['io', 'no-space', 'short-write'] as const)(
    'loses nothing when the disk fails at any call (%s), and is done by the next',
    async (fault) => {
      const begin = `${line('a')}\n{"torn\n${line('b')}\n${line('c')}\n`
      for (const forEver of [false, true]) {
        for (let at = 1; ; at++) {
          for (const name of names()) fs.rmSync(path.join(home, 'contexts', 'garden', name))
          put(begin)
          const disk = faultyDisk(nodeDisk, { at, fault, forEver })
          const failed = await removeDeliveredMessages(disk, paths, keys('a', 'b')).then(
            () => false,
            () => true,
          )
          // What was not delivered stands somewhere, and so does the damaged line.
          expect(everywhere()).toContain('c')
          expect(names().map((name) => text(path.join(paths.folder, name)))).toContainEqual(
            expect.stringContaining('{"torn'),
          )
          expect(await waiting()).toContain('c')
          await removeDeliveredMessages(nodeDisk, paths, keys('a', 'b'))
          expect(await waiting()).toEqual(['c'])
          expect(text(paths.damaged)).toContain('{"torn\n')
          // All that was moved aside goes once it is found as it was.
          await removeDeliveredMessages(nodeDisk, paths, keys('c'))
          await removeDeliveredMessages(nodeDisk, paths, keys())
          expect(await waiting()).toEqual([])
          const left = names().filter((name) => !isTemporaryName(name))
          expect(left).toEqual(['inbox.damaged.skein.jsonl'])
          if (!failed && disk.calls() < at) break
        }
      }
    },
  )
})

describe('an appender that holds the inbox open while it is emptied', () => {
  it.each([1, 2, 5])(
    'loses no half of its line and nothing that it writes later, each arrives once (%i deliveries between)',
    async (between) => {
      const whole = line('half')
      put(`${line('a')}\n${whole.slice(0, 30)}`)
      const late = fs.openSync(paths.inbox, 'a')
      const got: string[] = []
      const deliver = async () => {
        const { messages, damaged } = await readWaitingMessages(nodeDisk, paths)
        expect(damaged).toEqual([])
        got.push(...messages.map(({ id }) => id))
        await removeDeliveredMessages(nodeDisk, paths, new Set(messages.map(messageKey)))
      }
      await deliver()
      fs.writeSync(late, `${whole.slice(30)}\n`)
      await deliver()
      for (let n = 0; n < between; n++) {
        // Written right before each delivery: to the file that was moved aside, and to the new one.
        fs.writeSync(late, `${line(`late${n}`)}\n`)
        fs.appendFileSync(paths.inbox, `${line(`new${n}`)}\n`)
        await deliver()
      }
      fs.writeSync(late, `${line('last')}\n`)
      fs.closeSync(late)
      for (let n = 0; n < 3; n++) await deliver()
      const numbered = Array.from({ length: between }, (_, n) => [`late${n}`, `new${n}`]).flat()
      expect(got).toEqual(['a', 'half', ...numbered, 'last'])
      expect(names()).toEqual([])
    },
  )

  it.each([
    ['before the last look at it', 'syncFolder'],
    ['between that look and its removal', 'rename'],
  ] as const)('loses nothing that it writes %s', async (_, call) => {
    put(`${line('a')}\n`)
    const late = fs.openSync(paths.inbox, 'a')
    await removeDeliveredMessages(nodeDisk, paths, keys('a'))
    const aside = path.join(paths.folder, 'inbox.sorting.skein.jsonl')
    const writeLate = () => fs.writeSync(late, `${line('late')}\n`)
    let isWritten = false
    const disk: Disk = {
      ...nodeDisk,
      async syncFolder(folder) {
        await nodeDisk.syncFolder(folder)
        if (call === 'syncFolder' && !isWritten) isWritten = writeLate() > 0
      },
      async rename(from, to) {
        if (call === 'rename' && from === aside) isWritten = writeLate() > 0
        await nodeDisk.rename(from, to)
      },
    }
    await removeDeliveredMessages(disk, paths, keys())
    fs.closeSync(late)
    expect(isWritten).toBe(true)
    expect(await waiting()).toEqual(['late'])
  })

  it('that never ends its line leaves it to the damaged ones after two deliveries', async () => {
    put(`${line('a')}\n{"id":"torn`)
    await removeDeliveredMessages(nodeDisk, paths, keys('a'))
    expect([await waiting(), text(paths.damaged)]).toEqual([[], ''])
    await removeDeliveredMessages(nodeDisk, paths, keys())
    expect([names(), text(paths.damaged)]).toEqual([['inbox.damaged.skein.jsonl'], '{"id":"torn\n'])
  })

  it('loses nothing when the disk fails at any call of the delivery after its late line', async () => {
    for (let at = 1; ; at++) {
      for (const name of names()) fs.rmSync(path.join(paths.folder, name))
      put(`${line('a')}\n`)
      const late = fs.openSync(paths.inbox, 'a')
      await removeDeliveredMessages(nodeDisk, paths, keys('a'))
      fs.writeSync(late, `${line('late')}\n`)
      fs.closeSync(late)
      put(`${line('b')}\n`)
      const disk = faultyDisk(nodeDisk, { at, fault: 'io', forEver: true })
      const failed = await removeDeliveredMessages(disk, paths, keys('b')).then(
        () => false,
        () => true,
      )
      expect(await waiting()).toContain('late')
      expect(await waiting()).not.toContain('a')
      if (!failed && disk.calls() < at) break
    }
  })
})

describe('messages with one id', () => {
  it.each([{ content: 'other words' }, { from: 'kitchen' }, { timestamp: 2 }])(
    'are all delivered where they differ (%j), and once where they are the same',
    async (other) => {
      put([line('a'), line('a', other), line('a'), line('a', other)].join('\n'))
      const { messages } = await readWaitingMessages(nodeDisk, paths)
      expect(messages).toEqual([line('a'), line('a', other)].map((one) => JSON.parse(one)))
      await removeDeliveredMessages(nodeDisk, paths, keys('a'))
      const after = (await readWaitingMessages(nodeDisk, paths)).messages
      expect(after).toEqual([JSON.parse(line('a', other))])
    },
  )
})
