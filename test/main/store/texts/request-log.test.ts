import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readLoggedRequests } from '../../../../src/main/store/texts/request-log'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
let home: string
let file: string
beforeEach(() => {
  home = temp()
  file = path.join(home, 'contexts/garden/requests.jsonl')
  fs.mkdirSync(path.dirname(file), { recursive: true })
})

async function read(from: number, to: number, disk: Disk = nodeDisk): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const { timestamp, request } of readLoggedRequests(disk, home, 'garden', { from, to }))
    found.push([timestamp, request.n])
  return found
}
const ours = (timestamp: number, n: unknown = timestamp) =>
  `${JSON.stringify({ timestamp, request: { n } })}\n`
const chibis = (timestamp: number, n: unknown = timestamp) =>
  `${JSON.stringify({ request: { n }, timestamp })}\n`

it('gives those of a time, the newest first, whichever program wrote them', async () => {
  fs.writeFileSync(file, [ours(1), chibis(2), ours(3), chibis(4), ours(5)].join(''))
  expect(await read(2, 4)).toEqual([
    [4, 4],
    [3, 3],
    [2, 2],
  ])
  expect(await read(6, 9)).toEqual([])
})

it('takes no time from the words of a request', async () => {
  const words = '{"timestamp":99,"request":{}},"timestamp":99}'
  fs.writeFileSync(file, ours(3, words) + chibis(4, words))
  expect(await read(0, 10)).toEqual([
    [4, words],
    [3, words],
  ])
})

it('passes over what is damaged, and takes whole records from a line of several', async () => {
  const glued = `{"timestamp":2,"request":{"n"${ours(3)}`
  const both = `${ours(4).trimEnd()}${ours(5)}`
  fs.writeFileSync(file, `${ours(1)}${glued}\0\0\0\nnull\n[]\n{"timestamp":"x"}\n\n${both}{"times`)
  expect(await read(0, 10)).toEqual([
    [5, 5],
    [4, 4],
    [3, 3],
    [1, 1],
  ])
})

it('is empty where there is no file, or something else in its place', async () => {
  expect(await read(0, 10)).toEqual([])
  fs.mkdirSync(file)
  expect(await read(0, 10)).toEqual([])
})

it('finds what stands before older records, as after a clock was set back', async () => {
  const old = '{"timestamp":0,"request":{}}\n'
  const setBack = Array.from({ length: 300 }, (_, n) => ours(100 + n, 'bean '.repeat(1000)))
  fs.writeFileSync(file, [ours(1), ours(1000), old, chibis(1001), ...setBack, old].join(''))
  expect(await read(1000, 2000)).toEqual([
    [1001, 1001],
    [1000, 1000],
  ])
})

it('is not ended by one line, however long it is', async () => {
  const long = 'x'.repeat(64 * 1024 * 1024 - 200)
  fs.writeFileSync(file, ours(10) + ours(1, long) + ours(2).repeat(20))
  expect(await read(10, 10)).toEqual([[10, 10]])
})

it('passes over what is nested too deeply', async () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const record = (levels: number) => `{"timestamp":2,"request":{"n":${deep(levels)}}}\n`
  fs.writeFileSync(file, [ours(1), record(200_000), record(501), ours(3)].join(''))
  expect(await read(0, 10)).toEqual([
    [3, 3],
    [1, 1],
  ])
  fs.writeFileSync(file, record(499))
  expect(await read(0, 10)).toHaveLength(1)
})

it('reads no further back than 64 MB of older records', async () => {
  const long = 'bean '.repeat(20_000)
  const opened = fs.openSync(file, 'w')
  for (let n = 0; n < 1000; n++) fs.writeSync(opened, ours(n, long))
  fs.closeSync(opened)
  let bytes = 0
  const counting: Disk = {
    ...nodeDisk,
    async open(target, how) {
      const one = await nodeDisk.open(target, how)
      return {
        stat: () => one.stat(),
        write: (data) => one.write(data),
        sync: () => one.sync(),
        close: () => one.close(),
        async read(into, position) {
          const got = await one.read(into, position)
          bytes += got
          return got
        },
      }
    },
  }
  const found = await read(990, 991, counting)
  expect(found.map((one) => (one as number[])[0])).toEqual([991, 990])
  expect(bytes).toBeLessThan(72_000_000)
  expect(fs.statSync(file).size).toBeGreaterThan(100_000_000)
})
