import { useLayoutEffect } from 'react'
import { useSettings, useStores } from '../state/context'
import { useMedia } from '../ui/behaviour/hooks'

/** Sets theme, contrast, density and text zoom on the root element. */
export function useAppearance(): void {
  const preferences = useSettings(({ view }) => view?.preferences)
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const wantsContrast = useMedia('(prefers-contrast: more)')
  const {
    theme = 'system',
    contrast = 'system',
    density = 'comfortable',
    textZoom = 1,
  } = preferences ?? {}
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset.theme = theme === 'system' ? (isDark ? 'dark' : 'light') : theme
    root.dataset.contrast =
      contrast === 'more' || (contrast === 'system' && wantsContrast) ? 'more' : 'normal'
    root.dataset.density = density
    root.style.setProperty('--text-zoom', String(textZoom))
  }, [theme, contrast, density, textZoom, isDark, wantsContrast])
}

/** Reports the width of the app window to the layout, in CSS pixels, with the text zoom. */
export function useAppWindowWidth(): void {
  const { layout } = useStores()
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  useLayoutEffect(() => {
    const follow = () => layout.getState().setWindowWidth(window.innerWidth, textZoom)
    follow()
    window.addEventListener('resize', follow)
    return () => window.removeEventListener('resize', follow)
  }, [layout, textZoom])
}
