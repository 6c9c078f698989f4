import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAddressOf, parsePageRequest, partsBelow } from '../../../src/main/app/address'
import { audioResponse } from '../../../src/main/app/audio-scheme'
import { imageResponse } from '../../../src/main/app/image-scheme'

const root = path.resolve('/somewhere/renderer')
const ask = (address: string) => parsePageRequest(address, 'skein', root)

/** Pieces that addresses are bent with: cut escapes, steps upward, other roots, bytes that are no text. */
const pieces = fc.constantFrom(
  ...['%', '%4', '%zz', '%00', '%2e%2e', '%2f', '%5c', '%E0%A4%A', '%ff', '..', '.', '/', '//'],
  ...['\\', ':', '?', '#', '@', 'audio', 'image', 'a', 'index.html', '\ud800', '\u202e', 'C:'],
)
const bent = fc
  .tuple(
    fc.constantFrom(
      'app://skein/',
      'app://skein',
      'app://other/',
      'app:',
      'file:///',
      '',
      'app://[',
    ),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 12 }),
  )
  .map(([start, rest]) => start + rest.join(''))

describe('an address that the page asks for', () => {
  it('names a file of the page, a recording, an image, or nothing', () => {
    expect(ask('app://skein/index.html?a#b')).toEqual({
      type: 'file',
      file: path.join(root, 'index.html'),
    })
    expect(ask('app://skein/a%20b.js')).toEqual({ type: 'file', file: path.join(root, 'a b.js') })
    expect(ask('app://skein/audio/k/n.mp3')).toEqual({ type: 'recording' })
    expect(ask('app://skein/image/k/f')).toEqual({ type: 'image' })
    expect(ask('app://skein/')).toEqual({ type: 'nothing' })
    expect(ask('app://elsewhere/index.html')).toEqual({ type: 'nothing' })
    expect(ask('app://skein/..%2f..%2fetc/passwd')).toEqual({ type: 'nothing' })
    expect(ask('app://skein/%2e%2e/renderer-of-another/x')).toMatchObject({ type: 'file' })
  })

  it.each(['%', '%4', '%zz', 'a%', '%E0%A4%A', '%ff', 'a%00.js'])(
    'is answered as malformed where its path is: %s',
    (way) => {
      expect(ask(`app://skein/${way}`)).toEqual({ type: 'malformed' })
    },
  )

  it('never throws and never leads out of the folder, however it is bent', () => {
    fc.assert(
      fc.property(bent, (address) => {
        const asked = ask(address)
        if (asked.type !== 'file') return
        expect(asked.file.startsWith(root + path.sep)).toBe(true)
        expect(asked.file).not.toContain('\0')
      }),
      { numRuns: 2000 },
    )
  })

  it('is that of the page only as it is written there, however it is bent', () => {
    const page = 'app://skein/index.html'
    for (const same of ['', '?a=%', '#/x', '?#', '#a?b'])
      expect(isAddressOf(page, page + same)).toBe(true)
    const others = ['/', '%', '/../index.html', '\0', ' ', ';a']
    for (const other of others) expect(isAddressOf(page, page + other)).toBe(false)
    fc.assert(
      fc.property(bent, (address) => {
        const isSame = address === page || /^[?#]/.test(address.replace(page, ''))
        expect(isAddressOf(page, address)).toBe(isSame && address.startsWith(page))
      }),
      { numRuns: 500 },
    )
  })

  it('has exactly the parts that are asked for, decoded, or none', () => {
    expect(partsBelow('/audio/', 'app://skein/audio/a%2Fb/c', 2)).toEqual(['a/b', 'c'])
    for (const address of [
      '',
      '%',
      'app://skein/audio/a',
      'app://skein/audio/a/b/c',
      'app://skein/x/a/b',
    ])
      expect(partsBelow('/audio/', address, 2)).toBeUndefined()
  })
})

it('a recording and an image are answered at every address, also at one that is none', async () => {
  await fc.assert(
    fc.asyncProperty(bent, fc.boolean(), async (address, finds) => {
      const request = { url: address, method: 'GET', headers: new Headers() }
      const find = async () => {
        if (!finds) throw new Error('no such conversation')
        return undefined
      }
      const missing = { type: 'missing', looked: [] } as const
      const answers = [
        await imageResponse(request, find),
        await audioResponse(request, async () => (await find()) ?? missing),
      ]
      for (const { status } of answers) expect([200, 400, 404, 500]).toContain(status)
    }),
    { numRuns: 500 },
  )
})
