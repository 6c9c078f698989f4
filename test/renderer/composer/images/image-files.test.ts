import { describe, expect, it } from 'vitest'
import { readImageFiles } from '../../../../src/renderer/composer/images/image-files'
import { createDraftsStore } from '../../../../src/renderer/state/run/drafts'
import { onePoint } from '../../../support/images'
import { keptInMap } from '../../state/support/map-storage'

const many = (count: number, name: string, content: BlobPart) =>
  Array.from({ length: count }, (_, at) => new File([content], `${at}${name}`))
const texts = (count: number) => many(count, '.txt', 'Rain')
const images = (count: number) => many(count, '.png', new Uint8Array(onePoint))

describe('files that are given together', () => {
  it('are read as far as a message takes images and text files, counted apart', async () => {
    const read = await readImageFiles([...texts(20), ...images(10)])
    expect([read.images.length, read.fault]).toEqual([30, undefined])
    const { getState } = createDraftsStore(keptInMap())
    getState().attach('garden', read.images, read.fault)
    expect(getState().textsAt('garden')).toHaveLength(20)
    expect(getState().attached.garden).toHaveLength(10)
    expect(getState().attachFaults.garden).toBe(undefined)
  })

  it('that are too many are counted, and each that fits is taken', async () => {
    const read = await readImageFiles([...texts(23), ...images(12)])
    expect(read.images).toHaveLength(21 + 11)
    expect(read.fault).toBe(
      'A message takes 10 images and 20 text files at most: 3 more files were not read.',
    )
    const { getState } = createDraftsStore(keptInMap())
    getState().attach('garden', read.images, read.fault)
    expect(getState().textsAt('garden')).toHaveLength(20)
    expect(getState().attached.garden).toHaveLength(10)
  })

  it('are said where one cannot be read, beside those that are too many', async () => {
    const gone = new File(['x'], 'gone.txt')
    gone.slice = () => {
      throw new Error('gone')
    }
    const { images: read, fault } = await readImageFiles([gone, ...texts(22)])
    expect([read.length, fault]).toEqual([
      21,
      '"gone.txt" cannot be read. A message takes 10 images and 20 text files at most: 1 more file was not read.',
    ])
  })
})
