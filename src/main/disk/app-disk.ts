import { nodeDisk } from './node/node-disk'
import { unpackingDisk } from './unpack/unpacking-disk'

/**
 * The disk as the whole app uses it: packed files read as their content. One per thread, since it caches unpacked
 * content.
 */
export const appDisk = unpackingDisk(nodeDisk)
