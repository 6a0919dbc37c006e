// Prints the URIs of standard input with their byte offsets, from Java by foreign functions (JDK 22 or later).
//
//     cd capi && cargo build --release
//     echo "see <http://a.example/>" | java --enable-native-access=ALL-UNNAMED examples/java/Find.java ../target/release/liburigrep.so

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Predicate;

/** A finder. It is immutable, so threads may share it. */
public final class Find implements AutoCloseable {
    /** A URI and its place in the text. */
    public record Match(long start, long end, String uri, String host, String kind) {}

    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    /** size_t */
    private static final ValueLayout.OfLong SIZE = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    /** struct urigrep_match. A later version may add members behind these. */
    private static final StructLayout MATCH = MemoryLayout.structLayout(
            SIZE.withName("start"), SIZE.withName("end"),
            POINTER.withName("uri"), SIZE.withName("uri_length"),
            POINTER.withName("host"), SIZE.withName("host_length"),
            SIZE.withName("scheme_length"),
            POINTER.withName("kind"), SIZE.withName("kind_length"),
            INT.withName("flags"));

    private final Arena arena = Arena.ofShared();
    private final MemorySegment finder;
    private final MethodHandle find;
    private final MethodHandle free;

    /** Makes a finder from options in JSON, such as {"email": "report"}. */
    public Find(Path library, String options) throws Throwable {
        SymbolLookup symbols = SymbolLookup.libraryLookup(library, arena);
        find = function(symbols, "urigrep_find", FunctionDescriptor.of(INT, POINTER, POINTER, SIZE, POINTER, POINTER));
        free = function(symbols, "urigrep_finder_free", FunctionDescriptor.ofVoid(POINTER));
        MethodHandle create = function(symbols, "urigrep_finder_new_json", FunctionDescriptor.of(POINTER, POINTER, SIZE, POINTER, SIZE));
        try (Arena call = Arena.ofConfined()) {
            byte[] given = options.getBytes(StandardCharsets.UTF_8);
            MemorySegment reason = call.allocate(256);
            finder = (MemorySegment) create.invokeExact(
                    call.allocateFrom(ValueLayout.JAVA_BYTE, given), (long) given.length, reason, reason.byteSize());
            if (finder.equals(MemorySegment.NULL)) {
                throw new IllegalArgumentException(reason.getString(0));
            }
        }
    }

    private static MethodHandle function(SymbolLookup symbols, String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(symbols.find(name).orElseThrow(), type);
    }

    /** Calls each with the matches in a text, in order, until it returns false. */
    public void find(byte[] text, Predicate<Match> each) throws Throwable {
        Callback callback = new Callback(each);
        MethodHandle take = MethodHandles.lookup().bind(
                callback, "take", MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        try (Arena call = Arena.ofConfined()) {
            MemorySegment stub = Linker.nativeLinker().upcallStub(take, FunctionDescriptor.of(INT, POINTER, POINTER), call);
            MemorySegment copy = call.allocateFrom(ValueLayout.JAVA_BYTE, text);
            int result = (int) find.invokeExact(finder, copy, (long) text.length, stub, MemorySegment.NULL);
            if (callback.failed != null) {
                throw callback.failed;
            }
            if (result < 0) {
                throw new IllegalStateException("urigrep failed: " + result);
            }
        }
    }

    /** What an upcall throws ends the virtual machine, so it is kept until the search has returned. */
    private static final class Callback {
        private final Predicate<Match> each;
        private Throwable failed;

        Callback(Predicate<Match> each) {
            this.each = each;
        }

        int take(MemorySegment found, MemorySegment context) {
            try {
                MemorySegment match = found.reinterpret(MATCH.byteSize());
                Match made = new Match(
                        number(match, "start"), number(match, "end"), text(match, "uri"), text(match, "host"), text(match, "kind"));
                return each.test(made) ? 0 : 1;
            } catch (Throwable thrown) {
                failed = thrown;
                return 1;
            }
        }

        private static long number(MemorySegment match, String name) {
            return match.get(SIZE, MATCH.byteOffset(MemoryLayout.PathElement.groupElement(name)));
        }

        /** A text and its length; no text ends in NUL. */
        private static String text(MemorySegment match, String name) {
            long length = number(match, name + "_length");
            MemorySegment start = match.get(POINTER, MATCH.byteOffset(MemoryLayout.PathElement.groupElement(name)));
            return new String(start.reinterpret(length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        try {
            free.invokeExact(finder);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
        arena.close();
    }

    public static void main(String[] arguments) throws Throwable {
        byte[] text = System.in.readAllBytes();
        try (Find finder = new Find(Path.of(arguments[0]).toAbsolutePath(), "{\"email\": \"report\"}")) {
            finder.find(text, match -> {
                System.out.printf("%d:%d %s %s%n", match.start(), match.end(), match.kind(), match.uri());
                return true;
            });
        }
    }
}
