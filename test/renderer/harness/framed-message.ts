import {
  framedTextFile,
  type GivenTextFile,
  type KeptTextFile,
  withFrames,
} from '../../../src/shared/model/attachments/text-files'

/** A message with its text files, as main writes it: what stands in it, and what its metadata say. */
export function framedMessage(
  text: string,
  files: readonly GivenTextFile[],
): { readonly content: string; readonly metadata: { readonly files?: readonly KeptTextFile[] } } {
  const frames = files.map(({ name, bytes, text: read }) =>
    framedTextFile(name, read ?? new TextDecoder().decode(bytes)),
  )
  const content = withFrames(text, frames)
  if (files.length === 0) return { content, metadata: {} }
  let at = 0
  const kept = files.map(({ name, bytes }, index): KeptTextFile => {
    const frame = frames[index] ?? ''
    const start = content.indexOf(frame, at)
    at = start + frame.length
    const sha256 = String(index).repeat(64)
    const file = `attachments/${sha256}.txt`
    return { file, name, bytes: bytes.length, encoding: 'utf-8', sha256, start, end: at }
  })
  return { content, metadata: { files: kept } }
}
