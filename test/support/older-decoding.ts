import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { digestBytes, partMagic } from '../../src/main/segments/parts/part-format'
import { decodingVersion } from '../../src/shared/model/conversation/decoding'

/** Gives all caches in a folder the version of the decoders before ours, as if a Skein of then had written them. */
export function ageCaches(folder: string): void {
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    if (name.endsWith('.part')) fs.writeFileSync(file, agedPart(fs.readFileSync(file)))
    else if (/\.jsonl?$/.test(name)) ageJson(file)
  }
}

function ageJson(file: string): void {
  const text = fs.readFileSync(file, 'utf8')
  const aged = text.replace(`"decoding":${decodingVersion}`, `"decoding":${decodingVersion - 1}`)
  if (aged === text) throw new Error(`${file} does not say which decoders made it`)
  fs.writeFileSync(file, aged)
}

/** A part of the index as the decoders before ours would have labelled it. */
export function agedPart(bytes: Buffer): Buffer {
  const start = partMagic.length + 4
  const end = start + bytes.readUInt32LE(partMagic.length)
  const header = JSON.parse(bytes.toString('utf8', start, end)) as { decoding: number }
  if (header.decoding !== decodingVersion) throw new Error('a part of other decoders')
  const json = Buffer.from(JSON.stringify({ ...header, decoding: decodingVersion - 1 }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  const body = Buffer.concat([partMagic, length, json, bytes.subarray(end, -digestBytes)])
  return Buffer.concat([body, createHash('sha256').update(body).digest()])
}
