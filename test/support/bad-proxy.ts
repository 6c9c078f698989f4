import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/** What happens to the bytes of answers on their way. */
export interface Mischief {
  /** Ends the connection when so many bytes of an answer have passed. */
  readonly cutAt?: number
  /** How: as a broken line does, or in order, in the middle of what was promised. */
  readonly cutBy?: 'reset' | 'end'
  /** Passes nothing more, and keeps the connection. */
  readonly stallAt?: number
  /** So many bytes at a time, each in a packet of its own. */
  readonly pieceBytes?: number
  /** Changes bytes in place; the number of bytes must stay. */
  readonly change?: (bytes: Buffer) => Buffer
}

/** A TCP proxy on loopback that does something bad to answers. */
export interface BadProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** From now on; what is on its way is not changed any more. */
  mischief: Mischief
  close(): Promise<void>
}

/** @param target such as `http://127.0.0.1:4010` */
export async function badProxy(target: string): Promise<BadProxy> {
  const { port } = new URL(target)
  const sockets = new Set<net.Socket>()
  const track = (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setNoDelay(true)
  }
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), '127.0.0.1')
    for (const socket of [client, upstream]) track(socket)
    client.on('close', () => upstream.destroy())
    let passed = 0
    let going: Promise<void> = Promise.resolve()
    // A server may be done long before all pieces have passed.
    upstream.on('close', () => void going.then(() => client.end()))
    client.on('data', (bytes) => {
      // A connection that is kept serves more than one request.
      if (/^(GET|POST) /.test(bytes.toString('latin1'))) passed = 0
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      const { mischief } = proxy
      going = going.then(async () => {
        passed = await pass(client, bytes, passed, mischief)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: BadProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mischief: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return proxy
}

/** Passes a packet on; resolves to how many bytes of the answer have passed. */
async function pass(
  client: net.Socket,
  bytes: Buffer,
  passed: number,
  { cutAt, cutBy = 'reset', stallAt, pieceBytes, change }: Mischief,
): Promise<number> {
  const limit = cutAt ?? stallAt ?? Number.POSITIVE_INFINITY
  const room = Math.max(0, limit - passed)
  const changed = change === undefined ? bytes : change(bytes)
  const kept = changed.subarray(0, room)
  const size = pieceBytes ?? Math.max(1, kept.length)
  for (let at = 0; at < kept.length; at += size) {
    if (client.destroyed) break
    await new Promise<void>((resolve) =>
      client.write(kept.subarray(at, at + size), () => resolve()),
    )
    if (pieceBytes !== undefined) await new Promise((resolve) => setImmediate(resolve))
  }
  if (cutAt !== undefined && passed + bytes.length >= cutAt) {
    if (cutBy === 'reset') client.resetAndDestroy()
    else client.end()
  }
  return passed + bytes.length
}
