import { nodeDisk } from './node/node-disk'
import { unpackingDisk } from './unpack/unpacking-disk'

/** The disk as all of the app sees it: packed files read as what is in them. One a thread, since it keeps what it unpacked. */
export const appDisk = unpackingDisk(nodeDisk)
