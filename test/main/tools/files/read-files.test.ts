import fs from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Disk, DiskFile } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { findLine } from '../../../../src/main/tools/files/file-text'
import { LineHits } from '../../../../src/main/tools/files/hits'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { calling } from '../calling'

const temp = tempFolders(memoryFolder)

/** Counts the bytes that are read. */
function counting(): { readonly disk: Disk; readonly bytes: () => number } {
  let bytes = 0
  const disk: Disk = {
    ...nodeDisk,
    async open(target, mode) {
      const file = await nodeDisk.open(target, mode)
      const read = async (into: Uint8Array, position: number) => {
        const got = await file.read(into, position)
        bytes += got
        return got
      }
      return { ...file, read }
    },
  }
  return { disk, bytes: () => bytes }
}

describe('head, tail and lines', () => {
  it('give the text as it stands: carriage returns, scripts, a last line without a line feed', async () => {
    const { put, text } = calling(temp())
    put('crlf.txt', 'one\r\ntwo\r\nthree')
    put('words.txt', '\ufeffÄpfel\n日本語\n👩‍👩‍👧\n')
    expect(await text('file_head', { path: 'crlf.txt', lines: 2 })).toBe('one\r\ntwo\r\n')
    expect(await text('file_tail', { path: 'crlf.txt', lines: 2 })).toBe('two\r\nthree')
    expect(await text('file_lines', { path: 'crlf.txt', start: 2, end: 9 })).toBe('two\r\nthree')
    expect(await text('file_head', { path: 'words.txt' })).toBe('\ufeffÄpfel\n日本語\n👩‍👩‍👧\n')
    expect(await text('file_lines', { path: 'words.txt', start: 2, end: 2 })).toBe('日本語\n')
  })

  it('say that a file is empty, binary, or has fewer lines', async () => {
    const { put, text, error } = calling(temp())
    put('empty.txt', '')
    put('image.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]))
    put('two.txt', 'one\ntwo\n')
    for (const [name, args] of [
      ['file_head', {}],
      ['file_tail', {}],
      ['file_lines', { start: 1, end: 5 }],
    ] as const) {
      expect(await text(name, { path: 'empty.txt', ...args })).toBe('(empty.txt is empty)')
      expect(await error(name, { path: 'image.png', ...args })).toBe(
        'Error: image.png is a binary file of 8 bytes, not text',
      )
    }
    expect(await error('file_lines', { path: 'two.txt', start: 3, end: 4 })).toBe(
      'Error: two.txt has 2 lines, no line 3',
    )
    expect(await error('file_lines', { path: 'two.txt', start: 2, end: 1 })).toBe(
      'Error: end 1 is before start 2',
    )
  })

  it('show bad bytes and zero characters as replaced', async () => {
    const { put, text } = calling(temp())
    put('latin.txt', Buffer.concat([Buffer.from('x'.repeat(9000)), Buffer.from([10, 0xe4, 0, 10])]))
    expect(await text('file_tail', { path: 'latin.txt', lines: 1 })).toBe('\ufffd\ufffd\n')
  })

  it('agree with the lines of the text, whatever it is and however little fits', async () => {
    const { put, text } = calling(temp(), { maxResultChars: 4000 })
    const piece = fc.constantFrom('\n', 'a', 'é', '語', '👩', '\r', '\ufeff')
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 60 }).map((pieces) => pieces.join('')),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 70 }),
        async (content, a, b) => {
          put('x', content)
          const lines = content.split(/(?<=\n)/)
          expect(await text('file_head', { path: 'x', lines: a })).toBe(lines.slice(0, a).join(''))
          expect(await text('file_tail', { path: 'x', lines: a })).toBe(lines.slice(-a).join(''))
          const [start, end] = [Math.min(a, b, lines.length), Math.max(a, b)]
          expect(await text('file_lines', { path: 'x', start, end })).toBe(
            lines.slice(start - 1, end).join(''),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('cut what does not fit at a character, and say how to read on', async () => {
    const { put, text } = calling(temp(), { maxResultChars: 1000 })
    put('many.txt', Array.from({ length: 500 }, (_, n) => `line ${n + 1}\n`).join(''))
    put('faces.txt', `x${'👩'.repeat(5000)}`)
    const head = await text('file_head', { path: 'many.txt', lines: 500 })
    expect(head.length).toBeLessThanOrEqual(1000)
    const next = Number(/from line (\d+)/.exec(head)?.[1])
    const whole = head.slice(0, head.lastIndexOf('\n[Cut:'))
    expect(whole.split('\n').length).toBe(next)
    const more = await text('file_lines', { path: 'many.txt', start: next, end: next })
    expect(more).toBe(`line ${next}\n`)
    expect(await text('file_tail', { path: 'many.txt', lines: 500 })).toMatch(
      /\nline 500\n\n\[Cut: only 700 characters fit, of 7\d lines; file_lines reads the lines before\.\]$/,
    )
    for (const name of ['file_head', 'file_tail']) {
      const faces = await text(name, { path: 'faces.txt' })
      expect(faces.length).toBeLessThanOrEqual(1000)
      expect(faces).not.toMatch(/\p{Surrogate}|\ufffd/u)
      expect(faces).toContain('[Cut: only ')
    }
  })

  it('read little of a file of 200 MB, whose middle is one line', async () => {
    const { disk, bytes } = counting()
    const { put, at, text } = calling(temp(), { disk })
    const lines = (mark: string) => Array.from({ length: 9000 }, (_, n) => `${mark}${n}\n`).join('')
    put('huge.log', lines('begin '))
    fs.truncateSync(at('huge.log'), 200 * 1024 * 1024)
    fs.appendFileSync(at('huge.log'), `\n${lines('end ')}`)
    expect(await text('file_head', { path: 'huge.log', lines: 2 })).toBe('begin 0\nbegin 1\n')
    expect(await text('file_tail', { path: 'huge.log', lines: 1 })).toBe('end 8999\n')
    expect(await text('file_lines', { path: 'huge.log', start: 9000, end: 9000 })).toBe(
      'begin 8999\n',
    )
    const begin = await text('file_lines', { path: 'huge.log', start: 9001, end: 9002 })
    expect(begin.length).toBeLessThanOrEqual(30_000)
    expect(bytes()).toBeLessThan(4 * 1024 * 1024)
  })

  it('find a line far into a file without making its lines, so that it costs a count of bytes', async () => {
    const { disk, bytes } = counting()
    const { put, text } = calling(temp(), { disk })
    const rows = 400_000
    put('rows.log', Buffer.alloc(2 * rows, 'x\n'))
    const pieces = vi.spyOn(Buffer.prototype, 'subarray')
    onTestFinished(() => void pieces.mockRestore())
    expect(await text('file_lines', { path: 'rows.log', start: rows, end: rows })).toBe('x\n')
    expect(pieces.mock.calls.length).toBeLessThan(100)
    // A look for zero bytes, then each byte once.
    expect(bytes()).toBeLessThan(2 * rows + 20_000)
  })

  it('agree at the edges of what is counted at once', async () => {
    const { put, text, error } = calling(temp())
    const atOnce = 256 * 1024
    for (const length of [atOnce - 1, atOnce, atOnce + 1]) {
      put('edge', `${'x'.repeat(length - 1)}\n`)
      expect(await error('file_lines', { path: 'edge', start: 2, end: 2 })).toContain('has 1 line,')
      put('edge', `${'x'.repeat(length - 1)}\nend`)
      expect(await text('file_lines', { path: 'edge', start: 2, end: 2 })).toBe('end')
      expect(await error('file_lines', { path: 'edge', start: 3, end: 3 })).toContain(
        'has 2 lines,',
      )
    }
  })

  it('give up looking for a line when the time is over, and say where', async () => {
    const { put } = calling(temp())
    const file = await nodeDisk.open(put('rows.log', 'x\n'.repeat(400_000)), 'read')
    try {
      const { signal } = new AbortController()
      expect(await findLine(file, 390_000, Number.NEGATIVE_INFINITY, signal)).toEqual({
        late: 131_072,
      })
    } finally {
      await file.close()
    }
  })

  it('hear a stop while they look for a line, and leave others their turn', async () => {
    const stopping = new AbortController()
    let reads = 0
    const endless: DiskFile = {
      ...(await nodeDisk.open(calling(temp()).put('x', ''), 'read')),
      // Answers at once, for ever.
      read: async (into) => {
        reads += 1
        if (reads === 3) setImmediate(() => stopping.abort())
        return into.fill(0x0a).length
      },
    }
    const looking = findLine(endless, 1e12, Number.POSITIVE_INFINITY, stopping.signal)
    await expect(looking).rejects.toMatchObject({ name: 'AbortError' })
    // What was waiting for its turn had it before the next part.
    expect(reads).toBe(3)
    await endless.close()
  })

  it('stop when the call is stopped', async () => {
    const { put, call } = calling(temp())
    put('x', 'x\n')
    const signal = AbortSignal.abort()
    for (const [name, args] of [
      ['file_head', { path: 'x' }],
      ['file_grep', { path: 'x', pattern: 'x' }],
      ['dir_list', { path: '.' }],
      ['write_file', { path: 'new', content: '' }],
    ] as const)
      expect(await call(name, args, signal)).toEqual({
        type: 'error',
        text: 'Error: the call was stopped',
      })
  })

  it('stop in the middle of a file', async () => {
    const controller = new AbortController()
    const disk: Disk = {
      ...nodeDisk,
      async open(target, mode) {
        const file = await nodeDisk.open(target, mode)
        const read = (into: Uint8Array, position: number) => {
          if (position > 2_000_000) controller.abort()
          return file.read(into, position)
        }
        return { ...file, read }
      },
    }
    const { put, call } = calling(temp(), { disk })
    put('long.txt', 'a line of text\n'.repeat(1_000_000))
    for (const [name, args] of [
      ['file_grep', { path: 'long.txt', pattern: 'z' }],
      ['file_lines', { path: 'long.txt', start: 999_999, end: 1_000_000 }],
    ] as const)
      expect((await call(name, args, controller.signal)).text).toBe('Error: the call was stopped')
  })
})

describe('grep', () => {
  it('numbers matches and the lines around them, as grep does', async () => {
    const { put, text } = calling(temp())
    put('x', 'a1\r\nb\nc\nd\na2\na3\ne\nf\ng\nh\na4')
    expect(await text('file_grep', { path: 'x', pattern: '^a\\d$' })).toBe(
      '1:a1\n5:a2\n6:a3\n11:a4',
    )
    expect(
      await text('file_grep', { path: 'x', pattern: '^a', context_before: 1, context_after: 1 }),
    ).toBe('1:a1\n2-b\n--\n4-d\n5:a2\n6:a3\n7-e\n--\n10-h\n11:a4')
    expect(await text('file_grep', { path: 'x', pattern: '(?i)^A1' })).toBe('1:a1')
    expect(await text('file_grep', { path: 'x', pattern: 'zz' })).toBe(
      '(no match in 11 lines of x)',
    )
  })

  it('matches whole characters, and takes patterns that are none with the flag u', async () => {
    const { put, text } = calling(temp())
    put('x', '\ufeff👩\na-b\n')
    expect(await text('file_grep', { path: 'x', pattern: '^.$' })).toBe('1:👩')
    expect(await text('file_grep', { path: 'x', pattern: 'a\\-b' })).toBe('2:a-b')
  })

  it('says what a pattern has wrong', async () => {
    const { put, error } = calling(temp())
    put('x', 'x\n')
    expect(await error('file_grep', { path: 'x', pattern: '(' })).toMatch(
      /^Error: the pattern cannot be used: Invalid regular expression/,
    )
    expect(await error('file_grep', { path: 'x', pattern: 'x'.repeat(2000) })).toMatch(
      /longer than/,
    )
    expect(await error('file_grep', { path: 'x', pattern: '' })).toMatch(/pattern: Too small/)
  })

  it.each(['(a+)+$', '(a|a)*b$', '(.*a){25}$', '^(\\w+\\s?)*$'])(
    'does not hang on %s',
    async (pattern) => {
      const { put, call } = calling(temp())
      put('x', `${'a'.repeat(60)}!\n`.repeat(20))
      const outcome = await call('file_grep', { path: 'x', pattern })
      if (outcome.type === 'error')
        expect(outcome.text).toBe(
          'Error: the pattern takes too long on these lines; ask for a simpler one',
        )
    },
  )

  it('gives way to others after each part of what was read at once, and stops there', async () => {
    const controller = new AbortController()
    const searched = vi.spyOn(LineHits.prototype, 'take')
    onTestFinished(() => void searched.mockRestore())
    let before = Number.NaN
    const disk: Disk = {
      ...nodeDisk,
      async open(target, mode) {
        const file = await nodeDisk.open(target, mode)
        const read = async (into: Uint8Array, position: number) => {
          const got = await file.read(into, position)
          // Several parts in one reading: the first ones are short.
          if (got > 500_000) {
            before = searched.mock.calls.length
            setImmediate(() => controller.abort())
          }
          return got
        }
        return { ...file, read }
      },
    }
    const { put, call } = calling(temp(), { disk })
    put('x', `${'a'.repeat(60)}\n`.repeat(16_000))
    const outcome = await call('file_grep', { path: 'x', pattern: 'b' }, controller.signal)
    expect(outcome).toEqual({ type: 'error', text: 'Error: the call was stopped' })
    // Where the reading itself gave way before, none of it was searched.
    expect(searched.mock.calls.length - before).toBeLessThanOrEqual(1)
  })

  it('stops where no more fits, and cuts long lines', async () => {
    const { put, text } = calling(temp(), { maxResultChars: 4000 })
    put('x', 'match\n'.repeat(100_000))
    put('long', `${'y'.repeat(50_000)}\nend\n`)
    const many = await text('file_grep', { path: 'x', pattern: 'match' })
    expect(many.length).toBeLessThanOrEqual(4000)
    const last = Number(/lines after (\d+) were not searched\.\]$/.exec(many)?.[1])
    expect(many).toContain(`\n${last}:match\n`)
    expect(many).not.toContain(`${last + 1}:match`)
    expect(await text('file_grep', { path: 'long', pattern: 'y$|end' })).toBe(
      `1:${'y'.repeat(1000)}… (49000 more characters)\n2:end`,
    )
  })

  it('searches the beginning alone of a line of 200 MB, and says so', async () => {
    const { put, at, text } = calling(temp())
    put('huge.log', `${'x\n'.repeat(9000)}needle `)
    fs.truncateSync(at('huge.log'), 200 * 1024 * 1024)
    fs.appendFileSync(at('huge.log'), '\nneedle\n')
    const found = await text('file_grep', { path: 'huge.log', pattern: 'needle' })
    expect(found).toMatch(/^9001:needle \ufffd+… /)
    expect(found).toMatch(
      /\n9002:needle\n\[Only the beginning of 1 very long line was searched\.\]$/,
    )
  })
})

describe("a folder's list", () => {
  it('has folders, sizes and links in order of name, hidden names when asked', async () => {
    const root = temp()
    const { put, at, text } = calling(root)
    put('b.md', 'four')
    put('a/deep/x.md', '1')
    put('.hidden', '')
    fs.symlinkSync('b.md', at('link'))
    fs.symlinkSync(root, at('up'))
    fs.symlinkSync('nowhere', at('dangling'))
    fs.symlinkSync('loop', at('loop'))
    expect(await text('dir_list', { path: '.' })).toBe(
      [
        'a/',
        'b.md (4 bytes)',
        'dangling (a broken link, or not readable)',
        'link (a link)',
        'loop (a broken link, or not readable)',
        'up (a link that leads outside)',
      ].join('\n'),
    )
    expect(await text('dir_list', { path: 'a', depth: 3, show_hidden: true })).toBe(
      'deep/\ndeep/x.md (1 byte)',
    )
    expect(await text('dir_list', { path: '.', show_hidden: true })).toMatch(
      /^\.hidden \(0 bytes\)\n/,
    )
  })

  it('is bounded, and does not go into what is kept', async () => {
    const root = temp()
    const { put, text, home } = calling(root, { maxResultChars: 2000, allowedPaths: [root] })
    fs.writeFileSync(`${home}/contexts/zoo/transcript/active.jsonl`, '')
    for (let n = 0; n < 300; n += 1) put(`file-${n}\n`, '')
    const long = await text('dir_list', { path: 'allowed' })
    expect(long.length).toBeLessThanOrEqual(2000)
    expect(long).toMatch(/^file-0\\u\{a\} \(0 bytes\)\n.*\n\[Cut after \d+ lines: no more fit\./s)
    expect(await text('dir_list', { path: 'home/contexts', depth: 5 })).toBe(
      'garden/\nzoo/\nzoo/transcript (not available to tools)',
    )
  })
})
