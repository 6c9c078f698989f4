import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { openStore } from '../../src/main/store/open-store'
import { message } from './entries'

/** Makes a context of a person's messages, with a rotation whenever its active partition has `maxEntries`. */
export async function rotatedContext(
  home: string,
  name: string,
  texts: readonly string[],
  maxEntries: number,
): Promise<void> {
  const policy = {
    maxEntries,
    maxAgeSeconds: 1e9,
    maxTokens: 1e9,
    bytesPerToken: 3,
    bloomFilters: true,
  }
  const store = openStore({ home, disk: nodeDisk, storagePolicy: async () => policy })
  const writer = await store.openWriter(name, { create: true })
  for (const text of texts) await writer.append(message(text))
  await writer.close()
}
