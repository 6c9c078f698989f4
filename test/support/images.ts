/** The smallest PNG that shows anything: one point. */
export const onePoint: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Bytes that begin as images of each type do, and a text that says which they are. */
export const beginnings: Readonly<Record<'png' | 'jpg' | 'gif' | 'webp', Uint8Array>> = {
  png: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  jpg: Buffer.from('ffd8ffe000104a46494600010101', 'hex'),
  gif: Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'),
  webp: Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1'),
}
