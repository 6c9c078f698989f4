import { beforeAll } from 'vitest'
import { bundle } from './bundles'

/** Has a source bundled before the tests of a file; gives the bundle's path. See `bundle`. */
export function bundled(source: string): () => string {
  let file = ''
  beforeAll(async () => {
    file = await bundle(source)
  })
  return () => file
}
