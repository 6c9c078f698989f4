import fs from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import { isOfWrittenFiles } from './rooms'

/**
 * Has the calls of Node's `fs.promises` made in the next turn of the event loop. The thread pool that makes them else takes
 * ten times as long to be reached and to answer as a call takes, and most of what tests did was to wait for it. The files
 * are the real ones, and who waits for one call gives way to others as before; only what happens in one turn happens in
 * its order. It holds for tests of some rooms; other tests, worker threads, other processes and the window use the thread
 * pool all the same, and `SKEIN_FILES=pool` has every test use it.
 */
const { setImmediate: later } = globalThis
const turn = () => new Promise<void>((resolve) => void later(resolve))

const inTurn =
  <Given extends readonly unknown[], Made>(call: (...given: Given) => Made) =>
  async (...given: Given): Promise<Made> => {
    await turn()
    return call(...given)
  }

const pool = { ...fs.promises }

/** What of a `FileHandle` the disk uses. */
class OpenFile {
  fd: number

  constructor(fd: number) {
    this.fd = fd
  }

  async read(into: Uint8Array, from: number, length: number, position: number | null) {
    await turn()
    return { bytesRead: fs.readSync(this.open(), into, from, length, position), buffer: into }
  }

  async write(bytes: Uint8Array, from = 0, length = bytes.length, position: number | null = null) {
    await turn()
    return {
      bytesWritten: fs.writeSync(this.open(), bytes, from, length, position),
      buffer: bytes,
    }
  }

  async writeFile(content: string | Uint8Array): Promise<void> {
    await turn()
    fs.writeFileSync(this.open(), content)
  }

  async stat(): Promise<fs.Stats> {
    await turn()
    return fs.fstatSync(this.open())
  }

  async sync(): Promise<void> {
    await turn()
    fs.fsyncSync(this.open())
  }

  async close(): Promise<void> {
    await turn()
    if (this.fd === -1) return
    const { fd } = this
    this.fd = -1
    fs.closeSync(fd)
  }

  private open(): number {
    if (this.fd === -1) throw Object.assign(new Error('EBADF: file closed'), { code: 'EBADF' })
    return this.fd
  }
}

async function open(file: fs.PathLike, flags?: string | number, mode?: fs.Mode): Promise<unknown> {
  // One who opens a pipe waits for another to open it: not here, where nobody else could go on.
  const isPipe = fs.statSync(file, { throwIfNoEntry: false })?.isFIFO() === true
  if (isPipe) return pool.open(file, flags, mode)
  await turn()
  return new OpenFile(fs.openSync(file, flags ?? 'r', mode))
}

const changed = {
  open,
  access: inTurn(fs.accessSync),
  chmod: inTurn(fs.chmodSync),
  copyFile: inTurn(fs.copyFileSync),
  link: inTurn(fs.linkSync),
  lstat: inTurn(fs.lstatSync),
  mkdir: inTurn(fs.mkdirSync),
  readdir: inTurn(fs.readdirSync),
  readlink: inTurn(fs.readlinkSync),
  realpath: inTurn(fs.realpathSync.native),
  rename: inTurn(fs.renameSync),
  rmdir: inTurn(fs.rmdirSync),
  stat: inTurn(fs.statSync),
  unlink: inTurn(fs.unlinkSync),
  utimes: inTurn(fs.utimesSync),
}

beforeAll(() => {
  if (isOfWrittenFiles(expect.getState().testPath)) Object.assign(fs.promises, changed)
})
afterAll(() => void Object.assign(fs.promises, pool))
