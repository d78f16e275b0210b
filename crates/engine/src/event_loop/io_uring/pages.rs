//! Page-aligned memory with an address that the kernel may keep.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// The kernel wants rings of buffers to begin on a page.
const PAGE_BYTES: usize = 4096;

/// Memory that never moves; all zero at first, and resident only where it was touched.
pub struct Pages {
    start: NonNull<u8>,
    layout: Layout,
}

impl Pages {
    /// So many bytes, at least one.
    pub fn new(bytes: usize) -> Self {
        let layout = Layout::from_size_align(bytes.max(1), PAGE_BYTES)
            .unwrap_or(Layout::new::<[u8; PAGE_BYTES]>());
        assert!(layout.size() >= bytes, "a size below isize::MAX");
        // SAFETY: the layout's size is not zero.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start) else {
            handle_alloc_error(layout)
        };
        Self { start, layout }
    }

    /// The address of a byte.
    pub fn at(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.layout.size(), "an offset within the memory");
        // SAFETY: the offset is within the one allocation.
        unsafe { self.start.as_ptr().add(offset) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: allocated by `alloc_zeroed` with this layout, and freed only here.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}
