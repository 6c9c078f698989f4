import { expect, it } from 'vitest'
import { imageResponse, type ShownImage } from '../../../src/main/app/image-scheme'
import { onePoint } from '../../support/images'

function ask(path: string, found: ShownImage | undefined | Error, method = 'GET') {
  const asked: string[][] = []
  const response = imageResponse({ url: `app://skein${path}`, method }, async (key, file) => {
    asked.push([key, file])
    if (found instanceof Error) throw found
    return found
  })
  return { response, asked }
}

const image = { mime: 'image/png', bytes: onePoint }

it('gives an image whole, under names that were encoded, and lets nobody take it for something else', async () => {
  const { response, asked } = ask('/image/garden/attachments%2Fa.png', image)
  const { status, headers } = await response
  expect(asked).toEqual([['garden', 'attachments/a.png']])
  expect([status, Object.fromEntries(headers)]).toEqual([
    200,
    {
      'cache-control': 'no-store',
      'content-length': String(onePoint.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
    },
  ])
  expect(Buffer.from(await (await response).arrayBuffer()).equals(onePoint)).toBe(true)
})

it.each<[what: string, path: string, found: ShownImage | undefined | Error, status: number]>([
  ['no such image', '/image/garden/a.png', undefined, 404],
  ['what a page would run', '/image/garden/a.svg', { ...image, mime: 'image/svg+xml' }, 404],
  ['no file', '/image/garden', image, 400],
  ['a path', '/image/garden/attachments/a.png', image, 400],
  ['bad escapes', '/image/garden/%E0%A4', image, 400],
  ['what cannot be read', '/image/garden/a.png', new Error('EACCES /home/mira'), 500],
])('refuses %s in words that tell nothing', async (_, path, found, status) => {
  const response = await ask(path, found).response
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/plain'])
  expect(await response.text()).toMatch(/^(not found|bad request|cannot be read)$/)
})

it('answers nothing but GET', async () => {
  expect((await ask('/image/garden/a.png', image, 'POST').response).status).toBe(400)
})
