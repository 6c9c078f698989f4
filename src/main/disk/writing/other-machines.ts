import fs from 'node:fs'

/**
 * Kinds of file systems (`f_type` of statfs(2), by magic.h of Linux and the systems' own sources) whose files another machine, or
 * the host of a virtual one, may change: the system tells of such a change nobody who watches.
 */
const kindsOfOthers = new Set([
  0x6969, // NFS
  0x517b, // SMB, by its old name
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2 and 3
  0x65735546, // FUSE: sshfs, cloud drives
  0x01021997, // 9P: the Windows disks in WSL
  0x5346414f, // AFS
  0x6b414653, // AFS of the kernel
  0x73757245, // Coda
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x01161970, // GFS2
  0x7461636f, // OCFS2
  0x786f4256, // VirtualBox's shared folders
  0xbacbacbc, // VMware's
  0x6a656a63, // Docker Desktop's
])

/** Returns whether a folder lies on a file system that another machine may change too. Known on Linux; false elsewhere, or where nothing can be told. */
export async function isOfOtherMachine(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    const { type } = await fs.promises.statfs(folder)
    // The kernel's number has 32 bits, and may come with its sign.
    return kindsOfOthers.has(type >>> 0)
  } catch {
    return false
  }
}
