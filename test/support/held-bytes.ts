import v8 from 'node:v8'
import vm from 'node:vm'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void // V8 puts it into contexts that are made from here on.

/** Bytes of the buffers that something still holds: garbage is collected first, which takes up to half a second. */
export function heldBytes(): number {
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

/** Bytes of the heap that something still holds: garbage is collected first. */
export function heapBytes(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
