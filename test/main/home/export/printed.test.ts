import { describe, expect, it } from 'vitest'
import { mostPrintedText, printedPieces } from '../../../../src/main/home/export/printed'

const { signal } = new AbortController()

async function* pageOf(...pieces: readonly (string | Uint8Array)[]) {
  yield* pieces
}

/** Takes all that it is given, and keeps what it took. */
function takingPrinter() {
  const taken: string[] = []
  return {
    taken,
    async print(page: AsyncIterable<string>) {
      for await (const piece of page) taken.push(piece)
      return Buffer.from('%PDF')
    },
  }
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all).toString()
}

describe('a page that is printed', () => {
  it('is given to the printer piece by piece, and what that makes is the file', async () => {
    const { taken, print } = takingPrinter()
    const page = pageOf('<p>plums</p>', Buffer.from('<p>pears</p>'))
    expect(await bytesOf(printedPieces(page, print, signal))).toBe('%PDF')
    expect(taken).toEqual(['<p>plums</p>', '<p>pears</p>'])
  })

  it('has a limit, which its error names; pictures are not counted as text', async () => {
    const picture = `<img src="data:image/png;base64,${'A'.repeat(mostPrintedText)}" alt="">`
    const { print } = takingPrinter()
    const most = 'x'.repeat(mostPrintedText)
    expect(await bytesOf(printedPieces(pageOf(picture, most.slice(20)), print, signal))).toBe(
      '%PDF',
    )
    await expect(bytesOf(printedPieces(pageOf(most, 'x'), print, signal))).rejects.toMatchObject({
      code: 'io',
      message: expect.stringContaining(
        'No PDF was made: its pages would have more than 16 MB of text',
      ),
    })
    const album = pageOf(...Array.from({ length: 9 }, () => picture))
    await expect(bytesOf(printedPieces(album, print, signal))).rejects.toThrow('128 MB of pictures')
  })

  it('is refused in words where nothing prints', async () => {
    await expect(bytesOf(printedPieces(pageOf('x'), undefined, signal))).rejects.toMatchObject({
      code: 'bad-argument',
      message: expect.stringContaining('window'),
    })
  })
})
