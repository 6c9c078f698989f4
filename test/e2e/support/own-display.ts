/**
 * Our environment with the display that no other test uses meanwhile: on a shared one windows take the focus from one
 * another. Where a person has a display, it is that.
 */
export function ownDisplay(): NodeJS.ProcessEnv {
  const started = (process.env.SKEIN_TEST_DISPLAYS ?? '').split(' ').filter(Boolean)
  // Vitest counts the files that run side by side from 1, and gives a number again when its file has ended.
  const own = started[Number(process.env.VITEST_POOL_ID) - 1]
  return own === undefined ? process.env : { ...process.env, DISPLAY: own }
}
