/** In bytes: of one array, which is one stream of a PDF, unpacked. */
const mostAtOnce = 64 * 1024 * 1024
/** In bytes: of all arrays that are made while a PDF is read, those given back too. */
const mostTogether = 1024 * 1024 * 1024

/**
 * Bounds the memory of arrays of bytes and numbers in this process, which no limit of V8's counts: one that is too large, and all that come
 * behind too many, throw RangeError. A few kilobytes unpack to gigabytes otherwise.
 */
export function boundArrays(): void {
  let together = 0
  const bounded = {
    construct(made: NewableFunction, args: readonly unknown[], target: NewableFunction): object {
      const [first] = args
      if (typeof first === 'number') {
        const bytes =
          first * ((made as { readonly BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1)
        together += bytes
        if (bytes > mostAtOnce || together > mostTogether)
          throw new RangeError('a PDF takes too much memory')
      }
      return Reflect.construct(made, args, target)
    },
  }
  for (const name of [
    'ArrayBuffer',
    'Uint8Array',
    'Uint8ClampedArray',
    'Uint16Array',
    'Uint32Array',
    'Int32Array',
    'Float32Array',
    'Float64Array',
  ] as const)
    Object.assign(globalThis, { [name]: new Proxy(globalThis[name], bounded) })
}
