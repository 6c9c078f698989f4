import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { quickDraftFile } from '../../../src/main/compose/quick-draft'
import { openQuickEntry, type QuickHome } from '../../../src/main/compose/quick-entry'
import type { QuickSurroundings } from '../../../src/main/compose/quick-view'
import type { Disk } from '../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { QuickMessage, type QuickView } from '../../../src/shared/ipc/app/quick'
import { AppError } from '../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { RunId } from '../../../src/shared/model/run/run'
import { drawnOf, numbersBetween, tryEach } from '../../support/drawn'
import { faultyDisk } from '../../support/faulty-disk'
import { openTestHome, placesIn, testSettings } from '../../support/home'
import { scriptedServer } from '../../support/scripted-server'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const surroundings: QuickSurroundings = {
  begins: { model: 'm' },
  theme: 'system',
  contrast: 'system',
  textZoom: 1,
}
const garden = LibraryKey.parse('garden')

/** A home in memory: its conversations with the messages that were written, by id. */
function memoryHome(written: { key: string; id: string; text: string }[] = []) {
  let isRefusing: AppError | undefined
  let waits = Promise.resolve()
  let looks = 0
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const write = async (key: LibraryKey, id = '', text = '') => {
    begin()
    await waits
    if (isRefusing !== undefined) throw isRefusing
    written.push({ key, id, text })
    return RunId.parse('run')
  }
  const home: QuickHome = {
    contexts: {
      async begin({ text, entryId }, attempted) {
        const key = LibraryKey.parse(`chat-${written.length}`)
        await attempted?.(key)
        return { key, runId: await write(key, entryId, text) }
      },
    },
    runs: { start: ({ context, entryId, text }) => write(context, entryId, text) },
    transcripts: {
      async locate(key, id) {
        looks += 1
        return written.some((one) => one.key === key && one.id === id)
          ? { file: 'active.jsonl', offset: 0 }
          : undefined
      },
    },
  }
  return {
    home,
    written,
    texts: () => written.map(({ text }) => text),
    /** Resolves when the first message is on its way. */
    begun: () => begun,
    /** How often a conversation was read for a message. */
    looks: () => looks,
    refuse(error: AppError | undefined) {
      isRefusing = error
    },
    /** Has messages wait until the result is called. */
    hold() {
      let release = () => {}
      waits = new Promise((resolve) => {
        release = resolve
      })
      return () => release()
    },
  }
}

/** A folder in which a process ended while it was sending “Tulips”. */
function crashed(sending: object): string {
  const folder = temp()
  fs.mkdirSync(path.join(folder, 'one'))
  fs.writeFileSync(
    path.join(folder, 'one/quick-entry.json'),
    JSON.stringify({ id: 'an-id', text: 'Tulips', sending }),
  )
  return folder
}

/** A quick entry over homes in a folder, as a process of Skein has one. */
function processOn(
  folder: string,
  homes: Record<string, QuickHome | undefined>,
  disk: Disk = nodeDisk,
) {
  const opened: string[] = []
  const shown: QuickView[] = []
  const notes: string[] = []
  /** Undefined while there is no window. */
  let isShown: boolean | undefined
  let failure: Error | undefined
  let here = Object.keys(homes)[0] ?? ''
  const quick = openQuickEntry({
    window: {
      show: () => {
        isShown = true
      },
      hide: () => {
        if (failure !== undefined) throw failure
        isShown = false
      },
      isShown: () => isShown === true,
      isHidden: () => isShown === false,
    },
    place: () => ({ id: here, home: homes[here], view: async () => surroundings }),
    draftOf: (home) =>
      quickDraftFile(disk, path.join(folder, home), (words) => void notes.push(words)),
    open: (key) => void opened.push(key),
    shown: (view) => void shown.push(view),
    note: (error) => void notes.push(String(error)),
  })
  return {
    quick,
    opened,
    shown,
    notes,
    isShown: () => isShown === true,
    /** Has the window fail from now on. */
    breakWindow(error: Error) {
      failure = error
    },
    /** Goes to another home, of which nobody is told yet. */
    leaveFor(home: string) {
      here = home
    },
    goTo(home: string) {
      here = home
      quick.moved()
    },
    /** Sends some text as the page does: as the draft that it was given. */
    async send(text: string, key?: LibraryKey) {
      const { home, id } = await quick.view()
      return quick.send(QuickMessage.parse({ home, id, text, key }))
    },
    async keep(text: string) {
      const { home, id } = await quick.view()
      await quick.keep({ home, id, text })
    },
  }
}

it('is shown with the draft of before, and hidden by the same key', async () => {
  const folder = temp()
  await processOn(folder, { one: memoryHome().home }).keep('Half')
  const { quick, shown, isShown } = processOn(folder, { one: memoryHome().home })
  quick.toggle()
  await expect.poll(() => shown.map(({ draft }) => draft)).toEqual(['Half'])
  expect(isShown()).toBe(true)
  quick.toggle()
  expect(isShown()).toBe(false)
})

it('begins a conversation or goes on with one, which the app window shows then, and leaves no draft', async () => {
  const { home, written } = memoryHome()
  const { quick, send, opened, isShown } = processOn(temp(), { one: home })
  quick.show()
  const first = await quick.view()
  const next = await send('Tulips')
  expect(await quick.view()).toMatchObject({ ...next, draft: '' })
  expect(isShown()).toBe(false)
  await send('Lime', garden)
  expect(written).toEqual([
    { key: 'chat-0', id: first.id, text: 'Tulips' },
    { key: 'garden', id: expect.any(String), text: 'Lime' },
  ])
  expect(opened).toEqual(['chat-0', 'garden'])
})

describe('a message is sent once', () => {
  it('however often Enter is pressed, also while it is on its way', async () => {
    const { home, texts, hold } = memoryHome()
    const { quick } = processOn(temp(), { one: home })
    const { id } = await quick.view()
    const message = QuickMessage.parse({ home: 'one', id, text: 'Tulips' })
    const release = hold()
    const sent = [1, 2, 3].map(() => quick.send(message))
    release()
    await Promise.all(sent)
    await quick.send(message)
    expect(texts()).toEqual(['Tulips'])
  })

  it('and words that were kept on the way are no draft afterwards', async () => {
    const { home, hold } = memoryHome()
    const { quick } = processOn(temp(), { one: home })
    const { id } = await quick.view()
    const release = hold()
    const sent = quick.send(QuickMessage.parse({ home: 'one', id, text: 'Tulips' }))
    const kept = quick.keep({ home: 'one', id, text: 'Tulips' })
    const view = quick.view()
    release()
    await Promise.all([sent, kept])
    expect((await view).draft).toBe('')
  })

  it('and other words under its names are neither sent nor passed over', async () => {
    const { home, texts } = memoryHome()
    const { quick, send } = processOn(temp(), { one: home })
    const { id } = await quick.view()
    await send('Tulips')
    const other = { home: 'one', id, text: 'Roses' }
    const refused = { code: 'bad-argument' }
    await expect(quick.send(QuickMessage.parse(other))).rejects.toMatchObject(refused)
    await expect(quick.keep(other)).rejects.toMatchObject(refused)
    expect(texts()).toEqual(['Tulips'])
  })

  it('and one that fails after it was written counts as sent', async () => {
    const { home, texts, written } = memoryHome()
    const fails: QuickHome = {
      ...home,
      runs: {
        async start({ context, entryId = '', text = '' }) {
          written.push({ key: context, id: entryId, text })
          throw new AppError('io', 'The lock was lost.')
        },
      },
    }
    const { quick, send, opened } = processOn(temp(), { one: fails })
    await send('Tulips', garden)
    expect((await quick.view()).draft).toBe('')
    expect([texts(), opened]).toEqual([['Tulips'], ['garden']])
  })
})

describe('a message that is on the disk is sent', () => {
  it('whatever its conversation is called after the home was opened', async () => {
    const { home, texts, written } = memoryHome([{ key: 'garden', id: 'an-id', text: 'Tulips' }])
    const { quick } = processOn(crashed({ key: 'garden', text: 'Tulips' }), { one: home })
    await quick.settle()
    for (const one of written) one.key = 'meadow'
    const { draft, notice } = await quick.view()
    expect([draft, notice, texts()]).toEqual(['', undefined, ['Tulips']])
  })

  it('whatever becomes of the window then, which is told', async () => {
    const { home, texts } = memoryHome()
    const { quick, send, breakWindow, notes } = processOn(temp(), { one: home })
    quick.show()
    breakWindow(new Error('The window is gone.'))
    await send('Tulips')
    expect([(await quick.view()).draft, texts(), notes]).toEqual([
      '',
      ['Tulips'],
      ['Error: The window is gone.'],
    ])
  })
})

describe('while Skein goes to another home', () => {
  it('a message that waits is not written any more, and its words are the draft of its own home', async () => {
    const [one, two] = [memoryHome(), memoryHome()]
    const { quick, leaveFor } = processOn(temp(), { one: one.home, two: two.home })
    const { id } = await quick.view()
    const release = one.hold()
    const first = quick.send(QuickMessage.parse({ home: 'one', id, text: 'Tulips' }))
    const second = quick.send(QuickMessage.parse({ home: 'one', id, text: 'Roses' }))
    await one.begun()
    leaveFor('two')
    release()
    await first
    await expect(second).rejects.toMatchObject({ code: 'not-found' })
    expect([one.texts(), two.texts()]).toEqual([['Tulips'], []])
  })

  it('one that was being written is not looked for in the other home', async () => {
    const { home, texts, hold, begun } = memoryHome()
    const { quick, leaveFor, opened } = processOn(temp(), { one: home, two: memoryHome().home })
    const { id } = await quick.view()
    const release = hold()
    const sent = quick.send(QuickMessage.parse({ home: 'one', id, text: 'Tulips', key: garden }))
    await begun()
    leaveFor('two')
    release()
    await sent
    expect([texts(), opened]).toEqual([['Tulips'], []])
  })
})

describe('words stay the draft', () => {
  it.each(['busy', 'locked', 'no-key', 'no-model', 'not-found'] as const)(
    'where a conversation refuses them before anything is written (%s), of which nothing is read',
    async (code) => {
      const { home, refuse, looks } = memoryHome()
      const { quick, send } = processOn(temp(), { one: home })
      refuse(new AppError(code, 'No.'))
      await expect(send('Tulips', garden)).rejects.toMatchObject({ code })
      const { draft, notice } = await quick.view()
      expect([draft, notice, looks()]).toEqual(['Tulips', undefined, 0])
    },
  )

  it('where they are refused while the window is hidden, which is shown again', async () => {
    const { home, refuse, hold } = memoryHome()
    const { quick, send, isShown } = processOn(temp(), { one: home })
    quick.show()
    refuse(new AppError('no-key', 'There is no key.'))
    const release = hold()
    const sent = send('Tulips')
    quick.hide()
    release()
    await expect(sent).rejects.toMatchObject({ code: 'no-key' })
    expect(isShown()).toBe(true)
  })

  it('where the message is refused, with the reason, until it is sent', async () => {
    const { home, texts, refuse } = memoryHome()
    const { quick, send, isShown } = processOn(temp(), { one: home })
    quick.show()
    refuse(new AppError('no-key', 'There is no key.'))
    await expect(send('Tulips')).rejects.toMatchObject({ code: 'no-key' })
    expect([isShown(), (await quick.view()).draft]).toEqual([true, 'Tulips'])
    refuse(undefined)
    await send('Tulips')
    expect(texts()).toEqual(['Tulips'])
  })

  it('while no home is open', async () => {
    const folder = temp()
    const { quick, send, keep } = processOn(folder, { one: undefined })
    await keep('Tulips')
    await expect(send('Tulips')).rejects.toMatchObject({ code: 'not-found' })
    expect((await quick.view()).draft).toBe('Tulips')
  })

  it.each([
    ['cannot be read', 'unreadable'],
    ['has another name', 'not-found'],
  ] as const)(
    'where its conversation %s after a crash, and a person is told at every start until it is known',
    async (_, code) => {
      const { home, texts } = memoryHome([{ key: 'garden', id: 'an-id', text: 'Tulips' }])
      const folder = crashed({ key: 'garden', text: 'Tulips' })
      const locate = async () => Promise.reject(new AppError(code, 'No.'))
      const unsure = {
        draft: 'Tulips',
        notice: 'This may have been sent to “garden”, which cannot be read now: look there first.',
      }
      for (const _start of [1, 2]) {
        const { quick, keep } = processOn(folder, { one: { ...home, transcripts: { locate } } })
        expect(await quick.view()).toMatchObject(unsure)
        await keep('Tulips, and')
        await keep('Tulips')
        expect(await quick.view()).toMatchObject(unsure)
      }
      const known = await processOn(folder, { one: home }).quick.view()
      expect([known.draft, known.notice, texts()]).toEqual(['', undefined, ['Tulips']])
    },
  )

  it('where it may have been sent, and is sent all the same, under another id', async () => {
    const { home, written, refuse } = memoryHome()
    const folder = crashed({ key: 'garden', text: 'Tulips' })
    const locate = async () => Promise.reject(new AppError('unreadable', 'No.'))
    const { quick, send } = processOn(folder, { one: { ...home, transcripts: { locate } } })
    refuse(new AppError('no-key', 'There is no key.'))
    await expect(send('Tulips')).rejects.toMatchObject({ code: 'no-key' })
    expect((await quick.view()).notice).toMatch(/^This may have been sent to “garden”/)
    refuse(undefined)
    await send('Tulips')
    expect(written).toMatchObject([{ text: 'Tulips' }])
    expect(written[0]?.id).not.toBe('an-id')
    expect((await quick.view()).notice).toBeUndefined()
  })

  it('where the conversation that it was to begin is not there after a crash', async () => {
    const { home } = memoryHome()
    const folder = crashed({ key: 'chat-0', text: 'Tulips', begins: true })
    const locate = async () => Promise.reject(new AppError('not-found', 'No.'))
    const { quick } = processOn(folder, { one: { ...home, transcripts: { locate } } })
    const { draft, notice } = await quick.view()
    expect([draft, notice]).toEqual(['Tulips', undefined])
  })

  it('and those written after a crash, before a home was open, outlast the message that was sent', async () => {
    const { home } = memoryHome([{ key: 'garden', id: 'an-id', text: 'Tulips' }])
    const folder = crashed({ key: 'garden', text: 'Tulips' })
    await processOn(folder, { one: undefined }).keep('Tulips, and lime')
    const { quick } = processOn(folder, { one: home })
    expect((await quick.view()).draft).toBe('Tulips, and lime')
  })

  it('and a damaged file is moved aside and told, not written over', async () => {
    const folder = temp()
    fs.mkdirSync(path.join(folder, 'one'))
    fs.writeFileSync(path.join(folder, 'one/quick-entry.json'), '{"text":"Tul')
    const { keep, notes } = processOn(folder, { one: memoryHome().home })
    await keep('Roses')
    expect(fs.readdirSync(path.join(folder, 'one')).sort()).toEqual([
      'quick-entry.json',
      'quick-entry.json.damaged-1',
    ])
    expect(notes).toHaveLength(1)
  })
})

it('each home has its own draft, and a message goes to the home that it was written in', async () => {
  const [one, two] = [memoryHome(), memoryHome()]
  const { quick, goTo, keep, send, shown } = processOn(temp(), { one: one.home, two: two.home })
  await keep('For the first')
  const { id } = await quick.view()
  goTo('two')
  await expect.poll(() => shown.map(({ home, draft }) => [home, draft])).toEqual([['two', '']])
  // What the page had of the first home is that one's draft, and goes nowhere else.
  await quick.keep({ home: 'one', id, text: 'For the first home' })
  await expect(
    quick.send(QuickMessage.parse({ home: 'one', id, text: 'For the first home' })),
  ).rejects.toMatchObject({ code: 'not-found' })
  await send('For the second')
  goTo('one')
  expect((await quick.view()).draft).toBe('For the first home')
  expect([one.texts(), two.texts()]).toEqual([[], ['For the second']])
})

it('keeps nothing for a home or a draft that it gave to nobody', async () => {
  const folder = temp()
  const { quick } = processOn(folder, { one: memoryHome().home })
  await quick.view()
  for (const names of [
    { home: '../two', id: 'x' },
    { home: 'one', id: 'x' },
  ])
    await expect(quick.keep({ ...names, text: 'Tulips' })).rejects.toMatchObject({
      code: 'bad-argument',
    })
  expect(fs.readdirSync(folder)).toEqual([])
})

it('takes no message that says nothing, or is longer than any', () => {
  const names = { home: 'one', id: 'x' }
  expect(QuickMessage.safeParse({ ...names, text: ' \n' }).success).toBe(false)
  expect(QuickMessage.safeParse({ ...names, text: 'x'.repeat(200_001) }).success).toBe(false)
})

/** Texts of a person in all conversations of a home. */
function messagesIn(home: string): string[] {
  const contexts = path.join(home, 'contexts')
  if (!fs.existsSync(contexts)) return []
  return fs.readdirSync(contexts).flatMap((name) => {
    const file = path.join(contexts, name, 'transcript/active.jsonl')
    if (!fs.existsSync(file)) return []
    const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1)
    return lines
      .map((line) => JSON.parse(line))
      .flatMap(({ role, content }) => (role === 'user' ? [content] : []))
  })
}

describe('at every call of the disk', () => {
  /** Sends a message from a process in which one call of the disk fails; then another process looks. */
  async function sentWith(fault: 'kill' | 'io' | 'done-then-io', at: number) {
    const server = await scriptedServer(() => ({ steps: ['hang'] }))
    const folder = temp()
    const places = placesIn(folder)
    const disk = faultyDisk(nodeDisk)
    const settings = await testSettings(places, server.url)
    const before = await openTestHome(folder, { disk, settings })
    const first = processOn(folder, { one: before }, disk)
    await first.keep('Tulips need lime')
    // A crash: nothing reaches the disk after it.
    disk.plan({ at, fault: fault === 'kill' ? 'io' : fault, forEver: fault === 'kill' })
    const sent = await first.send('Tulips need lime').then(
      () => true,
      () => false,
    )
    const kinds = [...disk.kinds()]
    if (fault !== 'kill' && !sent) {
      // Somebody who reads the reason presses Enter again, where the words are there still.
      const { draft } = await first.quick.view()
      if (draft !== '') await first.send(draft)
    }
    const written = messagesIn(places.home)
    const after = await openTestHome(folder, { settings })
    const { draft } = await processOn(folder, { one: after }).quick.view()
    await before.close().catch(() => undefined)
    await after.close()
    await server.close()
    expect([...written, ...(draft === '' ? [] : [draft])]).toEqual(['Tulips need lime'])
    return kinds
  }

  /** Tries some of the calls, or all where everything is tried. @returns how many there are */
  async function atSomeCalls(fault: Parameters<typeof sentWith>[0], others: number) {
    const { length } = await sentWith(fault, Number.POSITIVE_INFINITY)
    await tryEach(drawnOf(numbersBetween(1, length), others), async (at) => {
      await sentWith(fault, at)
    })
    return length
  }

  it('a process that is killed there leaves the words in the conversation or in the draft, once', async () => {
    expect(await atSomeCalls('kill', 6)).toBeGreaterThan(20)
  })

  it('a call that fails there leaves them in one of both, and sent again they are there once', async () => {
    await atSomeCalls('io', 1)
    await atSomeCalls('done-then-io', 1)
  })
})
