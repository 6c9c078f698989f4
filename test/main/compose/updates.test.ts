import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openUpdates } from '../../../src/main/compose/updates'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()
const packages = [{ name: 'skein_0.2.0_amd64.deb', size: 7, sha512: `${'A'.repeat(86)}==` }]

/** A feed on this machine, and the updates of a package that asks it. */
async function feed(answer: http.RequestListener, source?: object) {
  const asked: http.IncomingMessage[] = []
  const server = http.createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens at no port')
  const url = `http://127.0.0.1:${address.port}`
  const resources = temp()
  const page = 'https://skein.example/packages'
  const named = source ?? { feed: `${url}/feed/`, page }
  fs.writeFileSync(path.join(resources, 'update-feed.json'), JSON.stringify(named))
  return { asked, url, page, updates: updatesIn(resources) }
}

const updatesIn = (resources: string, version = '0.1.0') =>
  openUpdates({ disk: nodeDisk, resources, version, platform: 'linux' })

const answering =
  (value: unknown): http.RequestListener =>
  (_request, response) =>
    response.end(typeof value === 'string' ? value : JSON.stringify(value))

it('asks nobody where the package names no feed', async () => {
  const before = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = before
  })
  globalThis.fetch = () => {
    throw new Error('somebody is asked')
  }
  const updates = updatesIn(temp())
  expect(await updates.place()).toEqual({ type: 'off' })
  expect(await updates.check()).toEqual({ type: 'off' })
})

it('asks once for each question, with nothing of the person, and tells what is newer', async () => {
  const { asked, url, page, updates } = await feed(
    answering({ version: '0.2.0', packages, more: 1 }),
  )
  // The page lies elsewhere, and is not asked.
  expect(await updates.place()).toEqual({ type: 'named', host: new URL(url).host, page })
  expect(asked).toEqual([])
  expect(await updates.check()).toEqual({ type: 'newer', version: '0.2.0', packages })
  expect(asked.map(({ url, method }) => [method, url])).toEqual([
    ['GET', '/feed/latest-linux.json'],
  ])
  const { cookie, authorization, referer, ...headers } = asked[0]?.headers ?? {}
  expect([cookie, authorization, referer]).toEqual([undefined, undefined, undefined])
  expect(headers['user-agent']).toBe('Skein')
})

it.each(['0.1.0', '0.0.9', '0.1.0-rc.1', '0.1.0+build.2'])(
  'takes %s for no newer one',
  async (version) => {
    const { updates } = await feed(answering({ version, packages: [] }))
    expect(await updates.check()).toEqual({ type: 'current' })
  },
)

it.each<[what: string, answer: http.RequestListener, code: string]>([
  ['is no JSON', answering('<html>'), 'unreadable'],
  ['is no release', answering({ version: 'newest' }), 'unreadable'],
  [
    'names a file elsewhere',
    answering({ version: '9.0.0', packages: [{ ...packages[0], name: '../x' }] }),
    'unreadable',
  ],
  ['is refused', (_request, response) => response.writeHead(500).end(), 'io'],
  [
    'leads elsewhere',
    (_request, response) => response.writeHead(302, { location: '/other' }).end(),
    'io',
  ],
  ['has no end', (_request, response) => void response.end(' '.repeat(70_000)), 'io'],
  ['breaks off', (request) => void request.socket.destroy(), 'io'],
])('says so where the answer %s', async (_, answer, code) => {
  const { asked, updates } = await feed(answer)
  await expect(updates.check()).rejects.toMatchObject({ code })
  expect(asked).toHaveLength(1)
})

it.each([
  [{ feed: 'http://skein.example/', page: 'https://skein.example/' }],
  [{ feed: 'https://skein.example/', page: 'javascript:alert(1)' }],
  [{ feed: 'https://user@skein.example/', page: 'https://skein.example/' }],
  [{ feed: 'file:///etc/', page: 'https://skein.example/' }],
  [{}],
])('asks nobody by a feed that is not safe: %j', async (source) => {
  const { asked, updates } = await feed(answering({ version: '9.0.0', packages }), source)
  expect(await updates.place()).toEqual({ type: 'unreadable' })
  await expect(updates.check()).rejects.toMatchObject({ code: 'unreadable' })
  expect(asked).toEqual([])
})
