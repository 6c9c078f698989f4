/**
 * Packs small files into an asar archive, the form in which Electron loads its default app: a header with names, sizes
 * and offsets as JSON inside a Pickle (four little-endian lengths), then the files one after another.
 * @param {Readonly<Record<string, string>>} files
 */
export function packAsar(files) {
  let offset = 0
  /** @type {Record<string, { size: number, offset: string }>} */
  const entries = {}
  const bodies = Object.entries(files).map(([name, text]) => {
    const body = Buffer.from(text)
    entries[name] = { size: body.length, offset: String(offset) }
    offset += body.length
    return body
  })
  const json = Buffer.from(JSON.stringify({ files: entries }))
  const padded = (json.length + 3) & ~3
  const header = Buffer.alloc(16 + padded)
  for (const [place, length] of [4, 8 + padded, 4 + padded, json.length].entries())
    header.writeUInt32LE(length, place * 4)
  json.copy(header, 16)
  return Buffer.concat([header, ...bodies])
}
