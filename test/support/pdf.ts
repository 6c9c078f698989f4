/** A page of a PDF that a test writes: lines of text in Latin letters, or the operators of its content as they are. */
export type WrittenPage = readonly string[] | { readonly content: string }

/**
 * Writes a PDF by ISO 32000-1: uncompressed objects, a table of their places. The text of pages is in Helvetica; `F2` is a font for Japanese
 * that the file does not bring, with the predefined map UniJIS-UCS2-H.
 */
export function writtenPdf(pages: readonly WrittenPage[], trailer = ''): Buffer {
  const kids = pages.map((_, at) => `${6 + 2 * at} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts [5 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>',
    ...pages.flatMap((page, at) => {
      const content = 'content' in page ? page.content : linesContent(page)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${7 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.7\n'
  const places: number[] = []
  for (const [at, object] of objects.entries()) {
    places.push(text.length)
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
  }
  const table = text.length
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

function linesContent(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`)
  return `BT /F1 12 Tf 14 TL 72 720 Td ${shown.join(' ')} ET`
}
