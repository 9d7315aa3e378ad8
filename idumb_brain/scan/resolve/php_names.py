"""Names that PHP code may use without any file providers them. Data, no behaviour."""

from __future__ import annotations

# Classes, interfaces and attributes of PHP 8 and the extensions it is shipped with, all in the global namespace.
CLASSES = frozenset(
    """
    __PHP_Incomplete_Class AddressInfo AllowDynamicProperties AppendIterator ArgumentCountError ArithmeticError ArrayAccess
    ArrayIterator ArrayObject AssertionError Attribute BackedEnum BadFunctionCallException BadMethodCallException
    CachingIterator CallbackFilterIterator ClosedGeneratorException Closure Collator COM CompileError Countable CURLFile
    CurlHandle CurlMultiHandle CurlShareHandle CURLStringFile DateError DateException DateInterval
    DateInvalidOperationException DateInvalidTimeZoneException DateMalformedIntervalStringException
    DateMalformedPeriodStringException DateMalformedStringException DateObjectError DatePeriod DateRangeError DateTime
    DateTimeImmutable DateTimeInterface DateTimeZone DeflateContext DelayedTargetValidation Deprecated Directory
    DirectoryIterator DivisionByZeroError DomainException DOMAttr DOMCdataSection DOMCharacterData DOMChildNode DOMComment
    DOMDocument DOMDocumentFragment DOMDocumentType DOMElement DOMEntity DOMEntityReference DOMException DOMImplementation
    DOMNamedNodeMap DOMNameSpaceNode DOMNode DOMNodeList DOMNotation DOMParentNode DOMProcessingInstruction DOMText DOMXPath
    DOTNET EmptyIterator EnchantBroker EnchantDictionary Error ErrorException Exception FFI Fiber FiberError
    FilesystemIterator FilterIterator finfo GdFont GdImage Generator GlobIterator GMP HashContext InfiniteIterator
    InflateContext InternalIterator IntlBreakIterator IntlCalendar IntlChar IntlCodePointBreakIterator IntlDateFormatter
    IntlDatePatternGenerator IntlException IntlGregorianCalendar IntlIterator IntlListFormatter IntlPartsIterator
    IntlRuleBasedBreakIterator IntlTimeZone InvalidArgumentException Iterator IteratorAggregate IteratorIterator
    JsonException JsonSerializable LengthException LibXMLError LimitIterator Locale LogicException MessageFormatter
    MultipleIterator mysqli mysqli_driver mysqli_result mysqli_sql_exception mysqli_stmt mysqli_warning NoDiscard
    NoRewindIterator Normalizer NumberFormatter OCICollection OCILob OpenSSLAsymmetricKey OpenSSLCertificate
    OpenSSLCertificateSigningRequest OuterIterator OutOfBoundsException OutOfRangeException OverflowException Override
    ParentIterator ParseError PDO PDOException PDORow PDOStatement Phar PharData PharException PharFileInfo php_user_filter
    PhpToken PropertyHookType RangeException RecursiveArrayIterator RecursiveCachingIterator RecursiveCallbackFilterIterator
    RecursiveDirectoryIterator RecursiveFilterIterator RecursiveIterator RecursiveIteratorIterator RecursiveRegexIterator
    RecursiveTreeIterator Reflection ReflectionAttribute ReflectionClass ReflectionClassConstant ReflectionConstant
    ReflectionEnum ReflectionEnumBackedCase ReflectionEnumUnitCase ReflectionException ReflectionExtension ReflectionFiber
    ReflectionFunction ReflectionFunctionAbstract ReflectionGenerator ReflectionIntersectionType ReflectionMethod
    ReflectionNamedType ReflectionObject ReflectionParameter ReflectionProperty ReflectionReference ReflectionType
    ReflectionUnionType ReflectionZendExtension Reflector RegexIterator RequestParseBodyException ResourceBundle
    ReturnTypeWillChange RoundingMode RuntimeException SeekableIterator SensitiveParameter SensitiveParameterValue
    Serializable SessionHandler SessionHandlerInterface SessionIdInterface SessionUpdateTimestampHandlerInterface Shmop
    SimpleXMLElement SimpleXMLIterator SNMP SNMPException SoapClient SoapFault SoapHeader SoapParam SoapServer SoapVar
    Socket SodiumException SortDirection SplDoublyLinkedList SplFileInfo SplFileObject SplFixedArray SplHeap SplMaxHeap SplMinHeap
    SplObjectStorage SplObserver SplPriorityQueue SplQueue SplStack SplSubject SplTempFileObject Spoofchecker SQLite3
    SQLite3Exception SQLite3Result SQLite3Stmt stdClass StreamBucket Stringable SysvMessageQueue SysvSemaphore
    SysvSharedMemory Throwable tidy tidyNode Transliterator Traversable TypeError UConverter UnderflowException
    UnexpectedValueException UnhandledMatchError UnitEnum ValueError VARIANT WeakMap WeakReference XMLParser XMLReader
    XMLWriter XSLTProcessor ZipArchive
    """.split()  # noqa: SIM905 - names to read, not quotes
)
NAMESPACES = frozenset({"BcMath", "Dba", "Dom", "FFI", "FTP", "IMAP", "LDAP", "Odbc", "Pdo", "PgSql", "Random", "Soap", "Uri"})

# Extensions that come on their own: how the names of their classes start, and how a composer.json names them.
EXTENSIONS = {
    "AMQP": "ext-amqp", "APCUIterator": "ext-apcu", "Gmagick": "ext-gmagick", "Imagick": "ext-imagick",
    "Memcached": "ext-memcached", "Memcache": "ext-memcache", "Rar": "ext-rar", "Redis": "ext-redis", "SVM": "ext-svm",
    "Yaf_": "ext-yaf", "Zookeeper": "ext-zookeeper", "Couchbase\\": "ext-couchbase", "Ds\\": "ext-ds",
    "MongoDB\\Driver\\": "ext-mongodb", "OpenSwoole\\": "ext-openswoole", "parallel\\": "ext-parallel",
    "RdKafka\\": "ext-rdkafka", "Relay\\": "ext-relay", "Swoole\\": "ext-swoole",
}  # fmt: skip

# What Laravel's AliasLoader makes known in the global namespace unless told otherwise.
LARAVEL_ALIASES = frozenset(
    """
    App Arr Artisan Auth Blade Broadcast Bus Cache Concurrency Config Context Cookie Crypt Date DB Eloquent Event File Gate
    Hash Http Js Lang Log Mail Notification Number Password Process Queue RateLimiter Redirect Request Response Route
    Schedule Schema Session Storage Str URL Uri Validator View Vite
    """.split()  # noqa: SIM905 - names to read, not quotes
)

# Namespaces whose packages are named by a rule everybody keeps to, for projects that have no composer.lock.
PACKAGES = (
    (r"Symfony\\Component\\Security\\(\w+)", "symfony/security-{}"),
    (r"Symfony\\(?:Component|Bundle)\\(\w+)", "symfony/{}"),
    (r"Symfony\\Bridge\\(\w+)", "symfony/{}-bridge"),
    (r"Symfony\\Contracts\\(\w+)", "symfony/{}-contracts"),
    (r"Psr\\Http\\(Message|Client|Server)", "psr/http-{}"),
    (r"Psr\\(\w+)", "psr/{}"),
    (r"Doctrine\\(?:Common\\)?(\w+)", "doctrine/{}"),
    (r"Illuminate\\", "laravel/framework"),
    (r"PHPUnit\\", "phpunit/phpunit"),
    (r"Composer\\Autoload\\|Composer\\InstalledVersions", "composer"),
)
