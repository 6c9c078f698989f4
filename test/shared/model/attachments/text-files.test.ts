import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import {
  type DecodeText,
  decodeTextFile,
  framedTextFile,
  type KeptTextFile,
  messageParts,
  shownFileName,
  textFilesFault,
  withFrames,
} from '../../../../src/shared/model/attachments/text-files'

const decode: DecodeText = (bytes, encoding) =>
  new TextDecoder(encoding, { fatal: true }).decode(bytes)
const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}
const of = (bytes: Uint8Array) => decodeTextFile({ bytes }, decode)

describe('the text of a file', () => {
  it('is read as UTF-8, with or without a byte order mark, and as UTF-16 with one', () => {
    const text = 'Größe: 3 µm, 🌧\r\n'
    expect(of(Buffer.from(text))).toEqual({ text, encoding: 'utf-8' })
    expect(of(Buffer.from(`\uFEFF${text}`))).toEqual({ text, encoding: 'utf-8' })
    expect(of(utf16(text, false))).toEqual({ text, encoding: 'utf-16le' })
    expect(of(utf16(text, true))).toEqual({ text, encoding: 'utf-16be' })
  })

  it('is none where bytes are not of the encoding, where a NUL is, in a PDF, and without words', () => {
    const fault = (bytes: Uint8Array) => ({ fault: undefined, ...of(bytes) }).fault
    expect(fault(Buffer.from([0x66, 0xfc, 0x72]))).toBe('is not text in UTF-8')
    expect(fault(Buffer.from([0xff, 0xfe, 0x00, 0xd8]))).toBe('is not text in UTF-16')
    expect(fault(Buffer.from('a\0b'))).toBe('is not text: it has a NUL character')
    expect(fault(Buffer.from('word', 'utf16le'))).toBe('is not text: it has a NUL character')
    expect(fault(Buffer.from('%PDF-1.7 and more'))).toBe('is a PDF, whose text was not read')
    expect(fault(Buffer.from(' \n'))).toBe('is empty')
  })

  it('is, in a PDF, what was read from it, and in no other file', () => {
    const bytes = Buffer.from('%PDF-1.7 and more')
    expect(decodeTextFile({ bytes, text: 'plum' }, decode)).toEqual({
      text: 'plum',
      encoding: 'pdf',
    })
    expect(decodeTextFile({ bytes, text: ' ' }, decode)).toEqual({ fault: 'is empty' })
    const words = { bytes: Buffer.from('of its own'), text: 'plum' }
    expect(decodeTextFile(words, decode)).toEqual({ text: 'of its own', encoding: 'utf-8' })
  })

  it('is refused in words where a PDF is too large, or has too much of it', () => {
    const pdf = (length: number, units = 1) => ({
      name: 'b.pdf',
      bytes: Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(length - 5)]),
      text: 'x'.repeat(units),
    })
    const million = 1024 * 1024
    expect(textFilesFault([pdf(16 * million)], decode)).toBe(undefined)
    expect(textFilesFault([pdf(16 * million + 1)], decode)).toBe('"b.pdf" is larger than 16 MB.')
    const three = [pdf(16 * million), pdf(16 * million), pdf(6)]
    expect(textFilesFault(three, decode)).toBe('Together the PDFs are larger than 32 MB.')
    const long = [pdf(6, million), pdf(6, million), pdf(6)]
    expect(textFilesFault(long, decode)).toBe('Together the text files are larger than 2 MB.')
  })

  it('is refused in words where it is too much', () => {
    const file = (length: number) => ({ name: 'a/b.txt', bytes: Buffer.alloc(length, 'x') })
    const words = (...lengths: number[]) => textFilesFault(lengths.map(file), decode)
    const million = 1024 * 1024
    expect(words(million)).toBe(undefined)
    expect(words(million + 1)).toBe('"b.txt" is larger than 1 MB.')
    expect(words(million, million, 1)).toBe('Together the text files are larger than 2 MB.')
    expect(words(...Array(21).fill(1))).toBe(
      'A message takes 20 text files at most, and these are 21.',
    )
  })
})

/** Reads a message as Markdown does: the lines of each fence, by the rule of CommonMark alone. */
function fencedIn(message: string): readonly string[] {
  const found: string[] = []
  let open: { readonly length: number; readonly lines: string[] } | undefined
  for (const line of message.split(/\r\n|\n|\r/)) {
    const run = /^ {0,3}(`{3,})([^`]*)$/.exec(line)
    if (open === undefined) {
      if (run?.[1] !== undefined) open = { length: run[1].length, lines: [] }
    } else if (run?.[1] !== undefined && run[1].length >= open.length && run[2]?.trim() === '') {
      found.push(open.lines.join('\n'))
      open = undefined
    } else open.lines.push(line)
  }
  return found
}

/** Language and text of the last code block that a Markdown program finds outside of lists and quotes, at the end of a message. */
function lastBlock(message: string): readonly [string, string] | undefined {
  const last = new MarkdownIt().parse(message, {}).at(-1)
  return last?.type === 'fence' && last.level === 0 ? [last.info, last.content] : undefined
}

describe('a file in a message', () => {
  it('stands in a fence that nothing in its text ends', () => {
    const backticks = fc.array(fc.constantFrom('`', '``', '```', '````', '\n', 'x', ' ', '\r\n'), {
      minLength: 1,
      maxLength: 40,
    })
    fc.assert(
      fc.property(backticks, backticks, (one, two) => {
        const texts = [one.join(''), two.join('')]
        const message = withFrames(
          'Look:',
          texts.map((text, at) => framedTextFile(`${at}.txt`, text)),
        )
        const wanted = texts.map((text) => text.replace(/\r\n|\r/g, '\n').replace(/\n$/, ''))
        expect(fencedIn(message)).toEqual(wanted)
      }),
      { numRuns: 300 },
    )
  })

  it('stands in its own fence behind any words, also those that leave one open', () => {
    const words = fc.array(
      fc.constantFrom(
        ...['```', '````', '~~~', '~~~~', '```js', '\n', '\n', '\n\n', 'x', ' ', '    ', '`', '# '],
      ),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(words, (drawn) => {
        const text = drawn.join('')
        const message = withFrames(text, [framedTextFile('a.txt', 'one\n```\n~~~~\ntwo')])
        expect(lastBlock(message)).toEqual(['txt', 'one\n```\n~~~~\ntwo\n'])
        if (lastBlock(text) === undefined && text.trim() !== '')
          expect(message.startsWith(`${text}\n\nFile "a.txt":`)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['- a\n  ```\n  b', undefined],
    ['- ```\n  b', undefined],
    ['- a\nlazy\n  ```\n  b', undefined],
    ['- a\n  ```\nb', undefined],
    ['1. a\n\n   ~~~\n   b', undefined],
    ['> ```\n> b', undefined],
    ['- a\n\n```js\nb', '```'],
    ['> a\n~~~~\nb\n', '~~~~'],
    ['  ```\nb', '  ```'],
    ['```\r\nb\r\n```\r\n', undefined],
    ['``` a`b', undefined],
  ])('is not swallowed by %j', (text, close) => {
    const message = withFrames(text, [framedTextFile('a.txt', 'one\n```\n~~~~\ntwo')])
    expect(lastBlock(message)).toEqual(['txt', 'one\n```\n~~~~\ntwo\n'])
    const begin = close === undefined ? text : `${text.trimEnd()}\n${close}`
    expect(message.startsWith(`${begin}\n\nFile "a.txt":`)).toBe(true)
  })

  it('has its name on one line, without what would end it', () => {
    expect(shownFileName('/home/x/a"b\n.txt')).toBe('a’b .txt')
    expect(framedTextFile('x.pdf', 'a')).toBe('File "x.pdf":\n\n```\na\n```')
    expect(framedTextFile('..\\x.PY', 'a')).toBe('File "x.PY":\n\n```py\na\n```')
    expect(shownFileName('\n')).toBe('file')
  })

  it('is found again by its place, and the words around it', () => {
    const [a, b] = [framedTextFile('a.txt', 'one\n```\ntwo'), framedTextFile('b', 'three\n')]
    const content = withFrames('Compare these.', [a, b])
    const kept = (name: string, frame: string): KeptTextFile => ({
      file: 'attachments/0.txt',
      name,
      bytes: 1,
      encoding: 'utf-8',
      sha256: '0'.repeat(64),
      start: content.indexOf(frame),
      end: content.indexOf(frame) + frame.length,
    })
    const files = [kept('a.txt', a), kept('b', b)]
    expect(messageParts(content, files)).toEqual([
      { type: 'words', text: 'Compare these.' },
      { type: 'file', file: files[0], text: 'one\n```\ntwo' },
      { type: 'file', file: files[1], text: 'three' },
    ])
    const alone = withFrames('', [a])
    expect(messageParts(alone, [{ ...kept('a.txt', a), start: 0, end: a.length }])).toHaveLength(1)
  })

  it('whose place is another one stays among the words', () => {
    const content = withFrames('Hi', [framedTextFile('a.txt', 'one')])
    const other = { file: '', name: 'a.txt', bytes: 1, encoding: 'utf-8', sha256: '' } as const
    for (const place of [{}, { start: 0, end: 9 }, { start: 4, end: content.length - 1 }])
      expect(messageParts(content, [{ ...other, ...place }])).toEqual([
        { type: 'words', text: content },
      ])
  })
})
