/** The sound that voicemode writes into `.pcm` files: one channel of signed 16-bit samples, lowest byte first. */
const samplesPerSecond = 24_000
const bytesPerSample = 2
/** The format's numbers have 32 bits. */
const mostBytes = 0xffff_ffff

/**
 * Returns the header (44 bytes) that makes a WAV file of raw sound as voicemode writes it into `.pcm` files: one
 * channel of signed 16-bit samples at 24 kHz, lowest byte first. Source: RIFF/WAVE with PCM format; sizes above 4 GB
 * are capped.
 */
export function wavHeader(soundBytes: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(44))
  const write = (at: number, text: string) => {
    for (let index = 0; index < text.length; index++)
      header.setUint8(at + index, text.charCodeAt(index))
  }
  write(0, 'RIFF')
  header.setUint32(4, Math.min(mostBytes, 36 + soundBytes), true)
  write(8, 'WAVEfmt ')
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, 1, true)
  header.setUint32(24, samplesPerSecond, true)
  header.setUint32(28, samplesPerSecond * bytesPerSample, true)
  header.setUint16(32, bytesPerSample, true)
  header.setUint16(34, 8 * bytesPerSample, true)
  write(36, 'data')
  header.setUint32(40, Math.min(mostBytes, soundBytes), true)
  return new Uint8Array(header.buffer)
}

/**
 * Computes the length of a WAV file's sound, in milliseconds, from its first 44 bytes; undefined where they are not
 * the plain header that most files begin with. Where the header leaves the length open, as after streaming, the sound
 * ends with the file.
 */
export function wavLengthMs(bytes: Uint8Array, fileBytes: number): number | undefined {
  if (bytes.length < 44) return undefined
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  if (word(0) !== 'RIFF' || word(8) !== 'WAVE' || word(12) !== 'fmt ' || word(36) !== 'data')
    return undefined
  const bytesPerSecond = header.getUint32(28, true)
  if (bytesPerSecond === 0) return undefined
  const soundBytes = Math.min(header.getUint32(40, true), Math.max(0, fileBytes - 44))
  return (soundBytes / bytesPerSecond) * 1000
}
