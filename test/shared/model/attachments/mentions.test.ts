import { expect, it } from 'vitest'
import { rankOfFile } from '../../../../src/shared/model/attachments/mentions'

const file = { path: '/work/src/main/Rain.test.ts', name: 'Rain.test.ts', folder: 'src/main' }
const rank = (query: string) => rankOfFile(file, query)

it('a file fits by parts of its path in their order, in any case; best by the beginning of its name', () => {
  expect(['', 'rain', 'test', 'main', 'src/ra', 'src main', 'SRC'].map(rank)).toEqual([
    1, 4, 3, 2, 4, 2, 2,
  ])
  expect(['snow', 'main/src', 'rainy', 'test/rain'].map(rank)).toEqual([0, 0, 0, 0])
})
