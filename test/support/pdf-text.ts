import { inflateSync } from 'node:zlib'

/** An object of a PDF: what stands before its stream, and that, unpacked. */
interface PdfObject {
  readonly head: string
  readonly content: string
}

/**
 * Reads the words of a PDF that Chromium wrote, a text for each page in the order of its commands: glyphs by the fonts' own tables of
 * characters. Reads nothing else of PDF.
 */
export function pdfTexts(pdf: Buffer): readonly string[] {
  const objects = objectsIn(pdf)
  const refs = (head: string, name: string) =>
    new RegExp(`/${name} (\\d+) 0 R`).exec(head)?.[1] ?? ''
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head))
    .map(({ head }) => {
      const fonts = new Map<string, ReadonlyMap<string, string>>()
      for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
        const table = objects.get(refs(objects.get(id)?.head ?? '', 'ToUnicode'))
        fonts.set(name, charactersIn(table?.content ?? ''))
      }
      return textOf(objects.get(refs(head, 'Contents'))?.content ?? '', fonts)
    })
}

function objectsIn(pdf: Buffer): ReadonlyMap<string, PdfObject> {
  const objects = new Map<string, PdfObject>()
  const text = pdf.toString('latin1')
  const begin = /(?<=^|\n)(\d+) 0 obj\n([\s\S]*?)(stream\r?\n|endobj)/g
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const [, id = '', head = '', end] = found
    if (end === 'endobj') {
      objects.set(id, { head, content: '' })
      continue
    }
    const from = begin.lastIndex
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0)
    const bytes = pdf.subarray(from, from + length)
    const isText = head.includes('/FlateDecode') && !/\/Image|\/Length1/.test(head)
    objects.set(id, { head, content: isText ? inflateSync(bytes).toString('latin1') : '' })
    begin.lastIndex = from + length
  }
  return objects
}

/** The characters of a font's glyphs, by the glyph's number in hex. */
function charactersIn(table: string): ReadonlyMap<string, string> {
  const characters = new Map<string, string>()
  const textOfHex = (hex: string) =>
    Buffer.from(hex, 'hex').swap16().toString('utf16le').replaceAll('\u0000', '')
  for (const [, lines = ''] of table.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g))
    for (const [, glyph = '', to = ''] of lines.matchAll(/<(\w+)> <(\w+)>/g))
      characters.set(glyph, textOfHex(to))
  for (const [, lines = ''] of table.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g))
    for (const [, first = '', last = '', to = ''] of lines.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      const from = Number.parseInt(first, 16)
      const character = Number.parseInt(to, 16)
      for (let at = from; at <= Number.parseInt(last, 16); at++)
        characters.set(
          at.toString(16).toUpperCase().padStart(4, '0'),
          String.fromCharCode(character + at - from),
        )
    }
  return characters
}

function textOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let font: ReadonlyMap<string, string> | undefined
  let text = ''
  const commands = /\/(F\d+) [\d.]+ Tf|<([0-9A-F]+)>(?=[^\n]*T[jJ])|\bET\b/g
  for (const [command, name, glyphs] of content.matchAll(commands)) {
    if (name !== undefined) font = fonts.get(name)
    else if (glyphs !== undefined)
      text += (glyphs.match(/.{4}/g) ?? []).map((glyph) => font?.get(glyph) ?? '\ufffd').join('')
    else if (command === 'ET') text += '\n'
  }
  return text
}
