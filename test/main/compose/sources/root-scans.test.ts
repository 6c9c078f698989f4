import path from 'node:path'
import { expect, it } from 'vitest'
import { openRootScans, type RootScans } from '../../../../src/main/compose/sources/root-scans'
import { untilAborted } from '../../../../src/main/compose/sources/until-aborted'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { History } from '../../../../src/main/library/sources/histories'
import { cycodReader } from '../../../../src/main/readers/cycod/cycod'

type Reader = History['reader']
type Ref = History['ref']

const rootPath = path.resolve('/histories')
const root = { source: 'cycod' as const, path: rootPath }
const never = new AbortController().signal

function refOf(key: string): Ref {
  return { source: 'cycod', root: rootPath, key, files: [], bytes: 10, updatedAtMs: 1 }
}

/** A reader that gives these, and between two of them waits until `next` is called. */
function slowReader(...keys: readonly string[]) {
  const waiting: (() => void)[] = []
  let lists = 0
  const reader: Reader = {
    ...cycodReader,
    async *list(_root, disk) {
      lists++
      for (const key of keys) {
        await disk.stat(import.meta.filename)
        yield refOf(key)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
  return { reader, next: () => waiting.shift()?.(), lists: () => lists }
}

function looksOver(reader: Reader): { looks: RootScans; listed: Reader; told: () => number } {
  let told = 0
  const looks = openRootScans(() => {
    told++
  })
  looks.open([root])
  return { looks, listed: looks.over(reader), told: () => told }
}

/** Lists to the end; `seen` has what came so far. */
function walk(reader: Reader, signal: AbortSignal = never) {
  const seen: string[] = []
  const done = (async () => {
    for await (const { key } of reader.list(rootPath, nodeDisk, signal)) seen.push(key)
  })()
  return { seen, done }
}

const waitFor = (condition: () => boolean) => expect.poll(condition).toBe(true)

it('tells what a list finds while it goes on, and what it found when it has ended', async () => {
  const { reader, next } = slowReader('a', 'b')
  const { looks, listed, told } = looksOver(reader)
  expect(looks.state(root)).toEqual({ type: 'waiting' })
  expect(looks.files).toBeUndefined()
  const { seen, done } = walk(listed)
  await waitFor(() => seen.length === 1)
  expect(looks.state(root)).toEqual({ type: 'looking', conversations: 1, bytes: 10, newestMs: 1 })
  expect(looks.files).toBe(1)
  next()
  await waitFor(() => seen.length === 2)
  next()
  await done
  expect(looks.state(root)).toEqual({ type: 'found', conversations: 2, bytes: 20, newestMs: 1 })
  expect(looks.files).toBeUndefined()
  expect(told()).toBeGreaterThan(2)
})

it('ends a list that is stopped, and a later list gives what was found, until it is looked at again', async () => {
  const { reader, next, lists } = slowReader('a', 'b')
  const { looks, listed } = looksOver(reader)
  const first = walk(listed)
  await waitFor(() => first.seen.length === 1)
  looks.stop()
  // Nobody calls `next`: a reader that hangs keeps nobody waiting.
  await first.done
  expect(first.seen).toEqual(['a'])
  expect(looks.state(root)).toEqual({ type: 'stopped', conversations: 1, bytes: 10, newestMs: 1 })
  expect([looks.isPartial('cycod'), looks.isPartial('fluux')]).toEqual([true, false])
  const second = walk(listed)
  await second.done
  expect(second.seen).toEqual(['a'])
  expect(lists()).toBe(1)
  looks.again()
  const third = walk(listed)
  next()
  await waitFor(() => third.seen.length === 1)
  next()
  await waitFor(() => third.seen.length === 2)
  next()
  await third.done
  expect(looks.isPartial('cycod')).toBe(false)
  expect(looks.state(root)).toEqual({ type: 'found', conversations: 2, bytes: 20, newestMs: 1 })
})

it('loses nothing that was found before when a later look is stopped', async () => {
  const { reader, next } = slowReader('a', 'b')
  const { looks, listed } = looksOver(reader)
  const first = walk(listed)
  await waitFor(() => first.seen.length === 1)
  next()
  await waitFor(() => first.seen.length === 2)
  next()
  await first.done
  looks.again()
  const second = walk(listed)
  await waitFor(() => second.seen.length === 1)
  looks.stop()
  await second.done
  expect(second.seen).toEqual(['a', 'b'])
  expect(looks.state(root)).toEqual({ type: 'stopped', conversations: 2, bytes: 20, newestMs: 1 })
})

it('stops what nobody has begun to look at as well', async () => {
  const { reader, lists } = slowReader('a')
  const { looks, listed } = looksOver(reader)
  looks.stop()
  const { seen, done } = walk(listed)
  await done
  expect([seen, lists()]).toEqual([[], 0])
  expect(looks.state(root)).toEqual({ type: 'stopped', conversations: 0, bytes: 0 })
})

it('looks quietly at what was looked at before', async () => {
  const { reader, next } = slowReader('a')
  const { looks, listed } = looksOver(reader)
  const first = walk(listed)
  await waitFor(() => first.seen.length === 1)
  next()
  await first.done
  const second = walk(listed)
  await waitFor(() => second.seen.length === 1)
  expect(looks.files).toBeUndefined()
  expect(looks.state(root)).toEqual({ type: 'found', conversations: 1, bytes: 10, newestMs: 1 })
  next()
  await second.done
})

it('says why a root cannot be read, and whoever lists it is told as well', async () => {
  const broken: Reader = {
    ...cycodReader,
    // biome-ignore lint/correctness/useYield: it fails before there is anything to give
    async *list() {
      throw new Error('it is locked away')
    },
  }
  const { looks, listed } = looksOver(broken)
  await expect(walk(listed).done).rejects.toThrow('it is locked away')
  expect(looks.state(root)).toEqual({ type: 'unreadable', why: 'it is locked away' })
})

it('ends with its caller, and then knows no more than before', async () => {
  const { reader } = slowReader('a', 'b')
  const { looks, listed } = looksOver(reader)
  const caller = new AbortController()
  const { seen, done } = walk(listed, caller.signal)
  await waitFor(() => seen.length === 1)
  caller.abort()
  await expect(done).rejects.toThrow()
  expect(looks.state(root)).toEqual({ type: 'waiting' })
  expect(looks.isSettled(root)).toBe(false)
})

it('forgets a root that is not read any more', async () => {
  const { reader, next } = slowReader('a')
  const { looks, listed } = looksOver(reader)
  const { seen, done } = walk(listed)
  await waitFor(() => seen.length === 1)
  next()
  await done
  looks.open([])
  looks.open([root])
  expect(looks.state(root)).toEqual({ type: 'waiting' })
})

it('gives what comes until the signal aborts, and leaves what hangs', async () => {
  const stop = new AbortController()
  async function* hanging() {
    yield 1
    await new Promise(() => undefined)
  }
  const seen: number[] = []
  for await (const one of untilAborted(hanging(), stop.signal)) {
    seen.push(one)
    stop.abort()
  }
  expect(seen).toEqual([1])
  for await (const one of untilAborted(hanging(), stop.signal)) seen.push(one)
  expect(seen).toEqual([1])
})

it('gives readers the same disk at every look, so that what they remember of files holds', async () => {
  const disks = new Set<unknown>()
  const reader: Reader = {
    ...cycodReader,
    async *list(_root, disk) {
      disks.add(disk)
      yield refOf('a')
    },
  }
  const { looks, listed } = looksOver(reader)
  await walk(listed).done
  looks.again()
  await Promise.all([walk(listed).done, walk(listed).done])

  expect(disks.size).toBe(1)
})

it('passes on who may look into files, and when that is stopped', async () => {
  const asked: AbortSignal[] = []
  const reader: Reader = {
    ...cycodReader,
    async *list(_root, _disk, signal, elsewhere) {
      yield refOf('a')
      await elsewhere?.('cycod', [], signal)
      yield refOf('b')
    },
  }
  const { looks, listed } = looksOver(reader)
  const seen: string[] = []
  const hanging: Parameters<Reader['list']>[3] = (_source, _files, signal) => {
    asked.push(signal)
    return new Promise(() => {})
  }
  const done = (async () => {
    for await (const { key } of listed.list(rootPath, nodeDisk, never, hanging)) seen.push(key)
  })()
  await waitFor(() => asked.length === 1)
  expect(asked[0]?.aborted).toBe(false)
  looks.stop()
  await done
  expect(asked[0]?.aborted).toBe(true)
  expect(seen).toEqual(['a'])
})
